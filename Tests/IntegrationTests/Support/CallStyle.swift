import Dispatch
import NetworkEngine
import TestSupport

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
