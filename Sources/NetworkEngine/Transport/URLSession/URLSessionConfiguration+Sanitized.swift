#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

extension URLSessionConfiguration {
    /// A copy without the options that crash, leak or compete with the engine: no cache (on Linux, canceling crashes
    /// with a cache), no cookies (their `Path` and `Secure` are ignored there), no stored credentials, no infinite
    /// timeouts.
    ///
    /// - Parameter connections: the number per host.
    func sanitized(connections: Int) throws(NetworkError) -> URLSessionConfiguration {
        if let unsupportedOption { throw .unsupported(unsupportedOption) }
        let additionalHeaders = try checkedAdditionalHeaders()
        let copy = try duplicate()
        copy.httpAdditionalHeaders = additionalHeaders
        copy.removeStorages()
        copy.timeoutIntervalForRequest = URLSession.longestTimeout
        copy.timeoutIntervalForResource = URLSession.longestTimeout
        copy.httpMaximumConnectionsPerHost = connections
        copy.sanitizePlatformOptions()
        return copy
    }

    func duplicate() throws(NetworkError) -> URLSessionConfiguration {
        guard let copy = copy() as? URLSessionConfiguration else {
            throw .unsupported("the URLSessionConfiguration cannot be copied")
        }
        return copy
    }

    /// Prevents the session from storing and adding anything itself.
    package func removeStorages() {
        urlCache = nil
        requestCachePolicy = .reloadIgnoringLocalCacheData
        httpCookieStorage = nil
        httpCookieAcceptPolicy = .never
        httpShouldSetCookies = false
        urlCredentialStorage = nil
    }

    /// The platform sends line breaks in these unchanged, and crashes on a value that is not a string.
    private func checkedAdditionalHeaders() throws(NetworkError) -> [String: String]? {
        guard let additional = httpAdditionalHeaders else { return nil }
        var headers = HTTPHeaders()
        for (name, value) in additional {
            guard let name = name as? String else {
                throw NetworkError(kind: .invalidRequest, reason: "a name in httpAdditionalHeaders is not a String")
            }
            guard let value = value as? String else {
                throw NetworkError(
                    kind: .invalidRequest,
                    reason: "the value of \(name.debugDescription) in httpAdditionalHeaders is not a String"
                )
            }
            headers.add(value, for: name)
        }
        if let fault = headers.fault {
            throw NetworkError(kind: .invalidRequest, reason: "httpAdditionalHeaders: \(fault)")
        }
        return Dictionary(headers.map { ($0.name, $0.wireValue) }) { first, _ in first }
    }
}
