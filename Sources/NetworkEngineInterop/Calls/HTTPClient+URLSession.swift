public import Foundation
public import NetworkEngine

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// `URLSession`'s async methods, performed by a client.
///
/// ```swift
/// extension HTTPClient: TheirSession {}
/// let sdk = TheirSDK(fetch: client.data(for:))
/// ```
/// They return what `URLSession` returns. The URL can have any origin. A status is not an error: a call with status 503
/// is retried according to the client's policies, a call with status 401 is repeated after a refresh, and the last
/// response is returned. A failure is a `URLError` with the same code as from `URLSession`. Its `networkError` is the
/// client's error.
///
/// A client adds its credential only at the credential's origins, and does not change a request's `Authorization`,
/// unless ``OwnedOrigins`` removes it.
extension HTTPClient {
    /// Sends a request, and returns the response body and head.
    @concurrent
    public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        try await data(for: GuestRequest(request))
    }

    /// Sends a request with data as its body, and returns the response body and head.
    @concurrent
    public func upload(for request: URLRequest, from data: Data) async throws -> (Data, URLResponse) {
        try await self.data(for: GuestRequest(request, body: .data(data)))
    }

    /// Sends a request with a file as its body, and returns the response body and head.
    ///
    /// The file is read while it is sent, again for each attempt.
    @concurrent
    public func upload(for request: URLRequest, fromFile file: URL) async throws -> (Data, URLResponse) {
        try await data(for: GuestRequest(request, body: .file(file)))
    }

    /// Sends a request, and returns the response head and its bytes as they arrive.
    ///
    /// If the transport supports back-pressure, a slow reader slows the server down.
    @concurrent
    public func bytes(for request: URLRequest) async throws -> (ResponseBytes, URLResponse) {
        let stream = try await stream(for: GuestRequest(request))
        return (ResponseBytes(stream, url: request.url), stream.response.urlResponse)
    }

    /// Sends a request, saves the response body in a temporary file, and returns the file and the response head.
    ///
    /// The file belongs to the caller, who must move or remove it. An interrupted download is resumed if the server
    /// supports it.
    @concurrent
    public func download(for request: URLRequest) async throws -> (URL, URLResponse) {
        let guest = try await GuestRequest(request)
        var decoding = ResponseDecoding<URL>.file().map { ($0, $1) }
        decoding.onUnclaimed = { value in _ = try? FileManager.default.removeItem(at: value.0) }
        do {
            let (file, response) = try await run(guest.request, decoding, cachePolicy: guest.cachePolicy, isGuest: true)
            return (file, response.urlResponse)
        } catch {
            guard let response = error.refusedResponse else { throw URLError(error, at: request.url) }
            return (try response.savedBody(in: engine.configuration.temporaryFolder), response.urlResponse)
        }
    }

    /// Sends a prepared request, and returns the head of a successful response, with a body that is read as it arrives.
    ///
    /// This is a call of the client: it throws a `NetworkError`, even for a status.
    @_disfavoredOverload
    @concurrent
    public func stream(_ request: URLRequest) async throws(NetworkError) -> ResponseStream {
        let guest = try await GuestRequest.make(request)
        return try await run(guest.request, .stream, cachePolicy: guest.cachePolicy, isGuest: true)
    }
}

extension HTTPClient {
    /// Sends a guest's request. A status is not an error.
    func response(to guest: GuestRequest) async throws(URLError) -> HTTPResponse {
        do {
            return try await run(guest.request, .response, cachePolicy: guest.cachePolicy, isGuest: true)
        } catch {
            guard let response = error.refusedResponse else { throw URLError(error, at: guest.url) }
            return response
        }
    }

    /// Sends a guest's request, and reads the response as it arrives. A status is not an error.
    func stream(for guest: GuestRequest) async throws(URLError) -> ResponseStream {
        do {
            return try await run(guest.request, .stream, cachePolicy: guest.cachePolicy, isGuest: true)
        } catch {
            guard let response = error.refusedResponse else { throw URLError(error, at: guest.url) }
            return ResponseStream(response)
        }
    }

    private func data(for guest: GuestRequest) async throws -> (Data, URLResponse) {
        let response = try await response(to: guest)
        return (response.data, response.urlResponse)
    }
}

extension NetworkError {
    /// The response of a call that failed only because the client rejected the response.
    fileprivate var refusedResponse: HTTPResponse? {
        guard isVerdict, !(underlying is CacheMiss) else { return nil }
        return response
    }
}

extension HTTPResponse {
    /// The response head for a guest.
    ///
    /// Its URL does not contain credentials that interceptors added to the query, because the guest did not send them.
    var urlResponse: URLResponse {
        var response = self
        response.request.url = ServerLink(request.url, to: "the response", in: self).url
        return response.httpURLResponse
            ?? URLResponse(
                url: response.request.url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
    }

    /// Saves the body of a response that the client rejected.
    fileprivate func savedBody(in folder: URL) throws -> URL {
        if case .file(let file) = body { return file }
        let file = folder.freshFile
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try data.write(to: file, options: .withoutOverwriting)
        return file
    }
}
