import CLibcurl
import Foundation
import NetworkEngine

/// Sets several options, and records the first one that libcurl rejects.
struct CurlOptionSetter {
    private let easy: OpaquePointer
    private(set) var fault: AbortReason?

    init(_ easy: OpaquePointer) { self.easy = easy }

    mutating func set(_ option: Int, _ value: Int) {
        note(option, lc_set_number(easy, Int32(option), value))
    }

    mutating func set(_ option: Int, _ value: String?) {
        note(
            option,
            value.map { $0.withCString { lc_set_text(easy, Int32(option), $0) } }
                ?? lc_set_text(easy, Int32(option), nil))
    }

    /// Sets bytes, which are copied.
    mutating func set(_ option: Int, _ value: Data) {
        let code = value.withUnsafeBytes { bytes in
            var blob = LCBlob(bytes: bytes.baseAddress, count: bytes.count, flags: 1)
            return lc_set_blob(easy, Int32(option), &blob)
        }
        note(option, code)
    }

    private mutating func note(_ option: Int, _ code: Int32) {
        guard code != 0, fault == nil else { return }
        fault = .unsupported("this libcurl does not take option \(option): \(String(cString: lc_error_text(code)))")
    }
}
