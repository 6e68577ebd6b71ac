public import Foundation
public import NetworkEngine

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The calls of `URLSession`, made by a client.
///
/// ```swift
/// extension HTTPClient: TheirSession {}
/// let sdk = TheirSDK(fetch: client.data(for:))
/// ```
/// They return what `URLSession` returns. The address can be of any origin. A status is data: a call with the status
/// 503 is repeated as the client's policies say, one with the status 401 after a refresh, and the last response is
/// returned. A failure is a `URLError` with the code that `URLSession` has for it. Its `networkError` is the error of
/// the client.
///
/// A client adds its credential only at the origins of the credential, and changes no `Authorization` that a request
/// has, unless ``OwnedOrigins`` takes it away.
extension HTTPClient {
    /// Sends a request, and returns the body and the head of the response.
    @concurrent
    public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        try await data(for: GuestRequest(request))
    }

    /// Sends a request with data as its body, and returns the body and the head of the response.
    @concurrent
    public func upload(for request: URLRequest, from data: Data) async throws -> (Data, URLResponse) {
        try await self.data(for: GuestRequest(request, body: .data(data)))
    }

    /// Sends a request with a file as its body, and returns the body and the head of the response.
    ///
    /// The file is read while it is sent, again for each attempt.
    @concurrent
    public func upload(for request: URLRequest, fromFile file: URL) async throws -> (Data, URLResponse) {
        try await data(for: GuestRequest(request, body: .file(file)))
    }

    /// Sends a request, and returns the head of the response and its bytes while they arrive.
    ///
    /// The reader of the bytes slows the server down if the transport supports back-pressure.
    @concurrent
    public func bytes(for request: URLRequest) async throws -> (ResponseBytes, URLResponse) {
        let stream = try await stream(for: GuestRequest(request))
        return (ResponseBytes(stream, url: request.url), stream.response.urlResponse)
    }

    /// Sends a request, saves the body of the response in a temporary file, and returns the file and the head.
    ///
    /// The file belongs to the caller, who moves or removes it. A connection that is lost is resumed where the server
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

    /// Sends a prepared request, and returns the head of a successful response, with a body that is read while it
    /// arrives.
    ///
    /// It is a call of the client: it throws a `NetworkError`, also for a status.
    @_disfavoredOverload
    @concurrent
    public func stream(_ request: URLRequest) async throws(NetworkError) -> ResponseStream {
        let guest = try await GuestRequest.make(request)
        return try await run(guest.request, .stream, cachePolicy: guest.cachePolicy, isGuest: true)
    }
}

extension HTTPClient {
    /// Sends the request of a guest. A status is data.
    func response(to guest: GuestRequest) async throws(URLError) -> HTTPResponse {
        do {
            return try await run(guest.request, .response, cachePolicy: guest.cachePolicy, isGuest: true)
        } catch {
            guard let response = error.refusedResponse else { throw URLError(error, at: guest.url) }
            return response
        }
    }

    /// Sends the request of a guest, whose response is read while it arrives. A status is data.
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
    /// The response of a call that failed only because the client does not accept the response.
    fileprivate var refusedResponse: HTTPResponse? {
        guard isVerdict, !(underlying is CacheMiss) else { return nil }
        return response
    }
}

extension HTTPResponse {
    /// The head for a guest.
    ///
    /// Its address has no credentials that interceptors added to the query: the guest did not send them.
    var urlResponse: URLResponse {
        var response = self
        response.request.url = ServerLink(request.url, to: "the response", in: self).url
        return response.httpURLResponse
            ?? URLResponse(
                url: response.request.url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
    }

    /// Saves the body of a response that the client does not accept.
    fileprivate func savedBody(in folder: URL) throws -> URL {
        if case .file(let file) = body { return file }
        let file = folder.freshFile
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try data.write(to: file, options: .withoutOverwriting)
        return file
    }
}
