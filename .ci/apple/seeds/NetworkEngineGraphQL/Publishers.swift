#if canImport(Combine)
import Combine
import NetworkEngine
private func seededMistake(_ client: GraphQLClient, _ operation: GraphQLOperation) -> AnyPublisher<Int, NetworkError> {
    client.executePublisher(operation)
}
#endif
