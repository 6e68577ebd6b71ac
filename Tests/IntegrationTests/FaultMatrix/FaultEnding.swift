@testable import NetworkEngine

/// How a call in the matrix ended.
enum FaultEnding: Hashable, Sendable {
    case response(Int, String)
    case failure(NetworkError.Kind, TransportFailure?)

    static func ok(_ text: String) -> Self { .response(200, text) }
    static func fails(_ failure: TransportFailure) -> Self { .failure(failure.kind, failure) }
    static func failsAs(_ kind: NetworkError.Kind) -> Self { .failure(kind, nil) }
}
