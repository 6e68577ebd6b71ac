import Foundation

/// A system call that failed while a server was started.
public struct LoopbackServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The call, such as `bind`.
    public let step: String
    /// Its `errno`.
    public let code: Int32

    init(step: String, code: Int32 = errno) {
        self.step = step
        self.code = code
    }

    public var description: String { "\(step) failed: \(String(cString: strerror(code)))" }
}
