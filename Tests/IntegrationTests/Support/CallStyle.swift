import Dispatch
import Foundation
import TestSupport
import Testing

@testable import NetworkEngine

/// All ways to make a call for a decoded value.
enum CallStyle: CaseIterable {
    case awaited, awaitedUnsendable, handle, waiter, queue, mainActor
    case requestableAwaited, requestableCallback, requestableOnMain

    static let delivery = DispatchQueue(label: "CallStyle.delivery")

    func start<Value: ParityValue>(
        _ target: ParityTarget,
        on provider: NetworkProvider<ParityTarget>,
        as type: Value.Type
    ) -> OngoingCall<Value> {
        switch self {
        case .awaited:
            return .awaiting { try await provider.request(target, as: type) }
        case .awaitedUnsendable:
            return .awaiting { Value(try await provider.request(target, as: Value.Unsendable.self)) }
        case .handle:
            return .running(provider.start(target, as: type))
        case .waiter:
            let handle = provider.start(target, as: type)
            return .awaiting { try await handle.value }
        case .queue:
            return .calling { provider.request(target, as: type, queue: Self.delivery, completion: $0) }
        case .mainActor:
            return .calling { completion in provider.request(target, as: type) { completion($0) } }
        case .requestableAwaited:
            return .awaiting { try await target.request(type: type) }
        case .requestableCallback:
            return .calling { target.request(type: type, callback: $0) }
        case .requestableOnMain:
            return .calling { completion in target.request(type: type, onMain: { completion($0) }) }
        }
    }
}

/// A value with a non-Sendable counterpart.
protocol ParityValue: Decodable, Sendable, Equatable {
    associatedtype Unsendable: Decodable
    init(_ unsendable: Unsendable)
}

struct User: ParityValue, Hashable {
    var id: Int
    var name: String

    final class Unsendable: Decodable {
        var id: Int
        var name: String
    }

    init(id: Int, name: String) {
        self.id = id
        self.name = name
    }

    init(_ user: Unsendable) {
        id = user.id
        name = user.name
    }
}

extension Optional: ParityValue where Wrapped: ParityValue {
    typealias Unsendable = Wrapped.Unsendable?

    init(_ value: Wrapped.Unsendable?) { self = value.map { Wrapped($0) } }
}

/// A call in progress, in any style.
struct OngoingCall<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, NetworkError>

    let cancel: @Sendable () -> Void
    private let end: @Sendable () async -> Outcome?

    /// The call's outcome; `nil` only if the waiting task is canceled.
    var outcome: Outcome? { get async { await end() } }

    var error: NetworkError? {
        get async { if case .failure(let error)? = await end() { error } else { nil } }
    }

    /// A call that a task awaits. Canceling it cancels the task.
    static func awaiting(_ body: @escaping @Sendable () async throws -> Value) -> Self {
        let task = Task {
            do {
                return Outcome.success(try await body())
            } catch let error as NetworkError {
                return .failure(error)
            } catch {
                Issue.record(error, "only a NetworkError may be thrown")
                return .failure(NetworkError(kind: .unsupported))
            }
        }
        return Self(cancel: { task.cancel() }, end: { await task.value })
    }

    /// A call with a callback.
    static func calling(
        _ start: (_ completion: @escaping @Sendable (Outcome) -> Void) -> any NetworkRequest
    ) -> Self {
        let delivery = Delivery<Outcome>()
        let request = start { delivery.add($0) }
        return Self(cancel: { request.cancel() }, end: { await delivery.first() })
    }

    static func running(_ handle: RequestHandle<Value>) -> Self {
        Self(cancel: { handle.cancel() }, end: { await handle.result })
    }
}

/// A target with its transport, so that one shared provider can send all targets.
struct ParityTarget: ProviderRequestable {
    var baseURL: URL
    var path = "/users/7"
    var method = HTTPMethod.get
    var headers = HTTPHeaders()
    var wire: any Transport
    var task = NetworkTask.requestPlain

    static let provider = NetworkProvider<ParityTarget>(interceptor: Router())

    /// Sends each target over its transport.
    private struct Router: RequestInterceptor {
        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: @escaping Next
        ) async throws -> HTTPResponse {
            guard let target = context.target as? ParityTarget else { return try await next(request) }
            return try await target.wire.send(request, context: TransportContext())
        }
    }
}
