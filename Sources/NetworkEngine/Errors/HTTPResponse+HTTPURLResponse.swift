#if canImport(FoundationNetworking)
public import FoundationNetworking
import Foundation
#else
public import Foundation
#endif

extension HTTPResponse {
    /// The head of this response as URLSession has it, for code that asks for one.
    ///
    /// Values of one name are joined by commas, as there is room for one only.
    public var httpURLResponse: HTTPURLResponse? {
        var fields: [String: String] = [:]
        var names: Set<String> = []
        for field in headers where names.insert(field.name.lowercased()).inserted {
            fields[field.name] = headers[field.name]
        }
        return HTTPURLResponse(url: request.url, statusCode: statusCode, httpVersion: "HTTP/1.1", headerFields: fields)
    }
}
