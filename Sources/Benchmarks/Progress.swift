import Foundation

/// What is going on, on the error output, while it goes on.
enum Progress {
    static func show(_ text: String) {
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
    }

    static func end() {
        FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
    }
}
