import Foundation
import TestSupport

@testable import NetworkEngine

extension HTTPResponse {
    /// A response to a request for `API`.
    static func sample(_ body: String, status: Int = 200, type: String? = nil) -> HTTPResponse {
        sample(Data(body.utf8), status: status, type: type)
    }

    static func sample(_ body: Data, status: Int = 200, type: String? = nil) -> HTTPResponse {
        HTTPResponse(
            statusCode: status,
            headers: type.map { ["Content-Type": $0] } ?? [:],
            body: .data(body),
            request: HTTPRequest(url: API.base)
        )
    }
}

extension ResponseDecoding {
    /// A response's value, decoded without options.
    func value(_ response: HTTPResponse) throws(NetworkError) -> Value {
        try value(of: response, standard: BodyDecoder(JSONDecoder()))
    }
}
