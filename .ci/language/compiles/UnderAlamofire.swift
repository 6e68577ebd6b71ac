// sample
import Alamofire
import Foundation
import NetworkEngine
import NetworkEngineInterop

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Every request of this session is a call of the client.
func session(through client: HTTPClient) -> Session {
    Session(configuration: URLSessionConfiguration.af.default.routed(through: client))
}
// end
