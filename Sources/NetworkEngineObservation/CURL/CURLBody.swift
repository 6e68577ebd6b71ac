import Foundation
import NetworkEngine

/// The body of a cURL command: pieces of data, and files that the command reads.
struct CURLBody {
    enum Piece {
        case data(Data)
        case file(URL)
        /// The contents of standard input.
        case input
    }

    private let pieces: [Piece]
    /// Whether the request has no body. An empty body counts as a body.
    let isEmpty: Bool

    init(_ body: RequestBody) {
        isEmpty = body.isAbsent
        switch body {
        case .absent: pieces = []
        case .data(let data): pieces = [.data(data)]
        case .file(let file): pieces = [.file(file)]
        case .stream(let stream): pieces = stream.segments.map { $0.map(Self.piece) } ?? [.input]
        }
    }

    /// The command's standard input.
    static let input = CURLBody([.input])

    private init(_ pieces: [Piece]) { (self.pieces, isEmpty) = (pieces, false) }

    private static func piece(_ segment: BodyStream.Segment) -> Piece {
        switch segment.content {
        case .data(let data): .data(data)
        case .file(let file): .file(file)
        case .source: .input
        case .stream(let stream): stream.segments?.first.map(piece) ?? .input
        }
    }

    /// Whether cURL sends `Expect: 100-continue` before the body.
    var isLong: Bool { onlyText.map { $0.utf8.count > 1 << 10 } ?? true }

    /// The commands that print the body; `nil` if an argument or a single file is enough.
    var standardInput: String? {
        if isEmpty || (onlyText.map { $0.utf8.count <= Self.argumentLimit } ?? false) { return nil }
        if pieces.count == 1, case .file = pieces[0] { return nil }
        if pieces.count == 1, case .input = pieces[0] { return nil }
        let commands = pieces.map(command)
        return commands.count == 1 ? commands[0] : "{ " + commands.joined(separator: "; ") + "; }"
    }

    func argument(withStandardInput: Bool) -> String? {
        if isEmpty { return nil }
        if withStandardInput { return "--data-binary @-" }
        if let text = onlyText { return "--data-raw " + ShellText.quoted(text) }
        if case .file(let file)? = pieces.first { return "--data-binary " + ShellText.quoted("@" + file.path) }
        return "--data-binary @-"
    }

    private var onlyText: String? {
        if pieces.isEmpty { return "" }
        guard pieces.count == 1, case .data(let data) = pieces[0] else { return nil }
        return Self.text(data)
    }

    /// Bytes as argument text, which cannot contain a zero byte.
    ///
    /// Each control character needs a shell command, so text with many of them is treated as binary data.
    private static func text(_ data: Data) -> String? {
        let controls = data.lazy.filter { $0 < 0x20 && $0 != UInt8(ascii: "\n") }
        return data.contains(0) || controls.prefix(33).count > 32 ? nil : String(data: data, encoding: .utf8)
    }

    private func command(_ piece: Piece) -> String {
        switch piece {
        case .data(let data):
            if let text = Self.text(data) { return "printf %s " + ShellText.quoted(text) }
            return "printf %s " + ShellText.quoted(data.base64EncodedString()) + " | base64 -d"
        case .file(let file): return "cat " + ShellText.quoted(file.path)
        case .input: return "cat"
        }
    }

    /// Systems limit the length of an argument, except for commands built into the shell.
    private static let argumentLimit = 100_000
}

extension CURLBody {
    /// A body as data, with a marker for each file, so that it can be redacted as a whole.
    struct Marked {
        let data: Data
        fileprivate let marks: [(mark: Data, piece: Piece)]

        /// The body for changed data, with the markers replaced by the files.
        func body(with data: Data) -> CURLBody {
            var pieces: [Piece] = []
            var rest = data[...]
            for (mark, piece) in marks {
                // A marker within a secret has been removed.
                guard let range = rest.range(of: mark) else { continue }
                if range.lowerBound > rest.startIndex { pieces.append(.data(Data(rest[..<range.lowerBound]))) }
                pieces.append(piece)
                rest = rest[range.upperBound...]
            }
            if !rest.isEmpty || pieces.isEmpty { pieces.append(.data(Data(rest))) }
            return CURLBody(pieces)
        }
    }

    func markingFiles() -> Marked {
        var data = Data()
        var marks: [(mark: Data, piece: Piece)] = []
        let word = String(UInt64.random(in: .min ... .max), radix: 36)
        for piece in pieces {
            if case .data(let piece) = piece {
                data.append(piece)
            } else {
                let mark = Data("\u{1}\(word)-\(marks.count)\u{1}".utf8)
                marks.append((mark, piece))
                data.append(mark)
            }
        }
        return Marked(data: data, marks: marks)
    }
}
