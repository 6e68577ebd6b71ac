// sample
import Foundation
import NetworkEngine
import NetworkEngineInterop
import TheirSDK

/// An SDK that takes a closure.
func sdk(key: String, over client: HTTPClient) -> TheirClient {
    TheirClient(key: key, fetch: client.data(for:))
}
// end

// sample
/// An SDK with a protocol for its session. The client has these methods.
extension HTTPClient: @retroactive TheirSession {}
// end

// sample
/// An SDK that takes a configuration.
func sdk(key: String, through client: HTTPClient) -> TheirClient {
    TheirClient(key: key, configuration: .default.routed(through: client))
}
// end

// sample
/// The client's credential at the client's origin, and the SDK's own one elsewhere.
func owningClient(_ api: URL, _ token: TokenSource) -> HTTPClient {
    HTTPClient(baseURL: api, interceptors: [OwnedOrigins([api]), token])
}
// end

func sdk(key: String, session client: HTTPClient) -> TheirClient { TheirClient(key: key, session: client) }
