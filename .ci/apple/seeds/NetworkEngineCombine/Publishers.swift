#if canImport(Combine)
import Combine
import NetworkEngine
private func seededMistake(_ client: HTTPClient) -> AnyPublisher<String, NetworkError> { client.sendPublisher(Endpoint.get("/")) }
#endif
