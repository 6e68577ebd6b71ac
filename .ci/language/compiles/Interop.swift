import Foundation
import NetworkEngine
import NetworkEngineInterop

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The `URLSession` calls, and sessions routed through a client.

func calls(_ client: HTTPClient, _ request: URLRequest, _ file: URL) async throws {
    // sample
    let (data, response) = try await client.data(for: request)
    let (answer, _) = try await client.upload(for: request, fromFile: file)
    let (saved, _) = try await client.download(for: request)
    // end
    _ = (data, response, answer, saved)
}

func bytes(_ client: HTTPClient, _ request: URLRequest, parse: (UInt8) -> Void) async throws {
    // sample
    let (bytes, response) = try await client.bytes(for: request)
    for try await byte in bytes { parse(byte) }
    // end
    _ = response
}

func session(_ client: HTTPClient) {
    // sample
    let session = URLSession(configuration: .default.routed(through: client))
    // end
    _ = session
}

func failure(_ client: HTTPClient, _ request: URLRequest, signIn: () -> Void) async throws {
    // sample
    do {
        _ = try await client.data(for: request)
    } catch let error as URLError where error.networkError?.endsSession == true {
        signIn()
    }
    // end
}
