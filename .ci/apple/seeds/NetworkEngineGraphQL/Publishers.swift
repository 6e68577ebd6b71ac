#if canImport(Combine)
import Combine
import NetworkEngine
func seededMistake(_ client: GraphQLClient, _ operation: GraphQLOperation) -> AnyPublisher<Int, NetworkError> {
    client.executePublisher(operation)
}
#endif
