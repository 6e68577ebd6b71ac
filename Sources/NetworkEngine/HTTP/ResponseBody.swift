public import Foundation

/// What came back after a response's head.
public enum ResponseBody: Sendable {
    /// Bytes in memory; no body is no bytes.
    case data(Data)
    /// A file that holds the bytes.
    case file(URL)
    /// Bytes that are still coming.
    case stream(BodyStream)

    /// The bytes, when they are in memory.
    public var data: Data? {
        if case .data(let data) = self { data } else { nil }
    }
}
