// The part of swift-distributed-tracing that an adapter needs, for samples.
public struct ServiceContext: Sendable {
    @TaskLocal public static var current: ServiceContext?
}

public enum SpanKind: Hashable, Sendable { case client, `internal` }

public struct SpanAttributes: Sendable {
    public subscript(name: String) -> Int? {
        get { nil }
        set {}
    }
}

public protocol Span: AnyObject, Sendable {
    var attributes: SpanAttributes { get set }
}

public protocol Injector: Sendable {
    associatedtype Carrier
    func inject(_ value: String, forKey key: String, into carrier: inout Carrier)
}

public protocol Instrument: Sendable {
    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier
}

public enum InstrumentationSystem {
    public static var instrument: any Instrument { NoInstrument() }
}

private struct NoInstrument: Instrument {
    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {}
}

private final class NoSpan: Span {
    var attributes: SpanAttributes {
        get { SpanAttributes() }
        set {}
    }
}

public func withSpan<Value>(
    _ name: String, ofKind kind: SpanKind = .internal, isolation: isolated (any Actor)? = #isolation,
    _ operation: (any Span) async throws -> Value
) async rethrows -> Value { try await operation(NoSpan()) }
