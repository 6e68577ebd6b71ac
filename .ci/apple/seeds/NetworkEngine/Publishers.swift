#if canImport(Combine)
import Combine
func seededMistake(_ client: HTTPClient) -> AnyPublisher<String, NetworkError> { client.sendPublisher(Endpoint.get("/")) }
#endif
