import Foundation

@testable import NetworkEngine
@testable import NetworkEngineCache

extension Date {
    /// Sun, 09 Sep 2001 01:46:40 GMT, with an offset in seconds.
    static func sample(_ offset: Double = 0) -> Date { Date(timeIntervalSince1970: 1_000_000_000 + offset) }
}

extension String {
    /// A date header's value, with an offset in seconds to the sample date.
    static func date(_ offset: Int64 = 0) -> String { HTTPDate.text(1_000_000_000 + offset) }
}

extension HTTPRequest {
    static func cached(
        _ headers: HTTPHeaders = [:], method: HTTPMethod = .get, _ address: String = "https://example.com/a"
    ) -> HTTPRequest {
        HTTPRequest(method: method, url: URL(string: address) ?? URL(fileURLWithPath: "/"), headers: headers)
    }
}

extension StoredResponse {
    /// A response that arrived at the sample date, without delay.
    static func sample(
        _ headers: HTTPHeaders,
        status: Int = 200,
        variant: Variant = Variant(names: [], values: "", identity: ""),
        requestTime: Double = 0,
        responseTime: Double = 0,
        length: Int64 = 10,
        part: Part? = nil
    ) -> StoredResponse {
        StoredResponse(
            statusCode: status, headers: headers, variant: variant, requestTime: .sample(requestTime),
            responseTime: .sample(responseTime), bodyLength: length, part: part)
    }

    /// The stored head of a response at the sample date.
    static func storing(
        _ headers: HTTPHeaders,
        status: Int = 200,
        to request: HTTPRequest = .cached(),
        policy: CachePolicy = .useProtocol
    ) -> StoredResponse? {
        StoredResponse(
            storing: status, headers, to: request, policy: policy, requestTime: .sample(), responseTime: .sample())
    }
}

extension CacheDecision {
    /// Whether a stored response is used without validation.
    var isUse: Bool { if case .use = self { true } else { false } }
}
