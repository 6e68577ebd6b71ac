// Stand-ins for the parts of Foundation, of the runtime and of other files that the sources in .ci/narrow-check use.

package typealias Data = [UInt8]

@_extern(c) func memcmp(_: UnsafeRawPointer, _: UnsafeRawPointer, _: Int) -> Int32

extension String {
    func contains(_ other: String) -> Bool { indices.contains { self[$0...].hasPrefix(other) } }
}

package enum DecodingError: Error {
    package struct Context {
        init(codingPath: [Int], debugDescription: String) {}
    }
    case dataCorrupted(Context)
}

public enum NetworkErrorKind { case connection, tls, timeout, protocolViolation, invalidRequest, limit, offline }
package enum HTTPMethod { case get, head }
package struct HTTPHeaders: Hashable, Sendable {
    init() {}
    init(lines: [UInt8], _ isLeftOut: (String) -> Bool) {}
}
extension String {
    func equalsIgnoringASCIICase(_ other: String) -> Bool { self == other }
}

package final class OneShot<Value: Sendable>: Sendable {
    package func settle(_ value: Value) {}
}
public protocol ServiceUnavailability {}
public protocol RefusalForAPause {}

public enum WebSocketMessage: Hashable, Sendable {
    case text(String)
    case data([UInt8])

    var size: Int { if case .data(let data) = self { data.count } else { 0 } }
}
public struct WebSocketClose: Hashable, Sendable {
    package let code: UInt16
    package let reason: String

    static func maySend(_ code: UInt16) -> Bool { true }
}
package enum CompressionTerms {
    package struct Side: Hashable, Sendable { package init() {} }
}
final class MessageInflater: Sendable {
    init?(_ side: CompressionTerms.Side) {}
    func inflate(_ bytes: ArraySlice<UInt8>, into message: inout [UInt8], limit: Int) throws(WebSocketFault) {}
    func finish(into message: inout [UInt8], limit: Int) throws(WebSocketFault) {}
}
final class MessageDeflater: Sendable {
    func deflate(_ message: UnsafeBufferPointer<UInt8>) -> [UInt8]? { nil }
}

enum JSONKeyStyle {
    case asWritten

    func key(for name: String) -> String { name }
}
struct CamelCase {
    init?(_ bytes: JSONBytes, _ content: Range<Int>) { return nil }
    func equals(_ name: UnsafeBufferPointer<UInt8>) -> Bool { false }
}
