// The part of swift-metrics that an adapter needs, for samples.
public final class Timer: Sendable {
    public convenience init(label: String, dimensions: [(String, String)] = []) { self.init() }

    private init() {}

    public func recordNanoseconds(_ duration: Int64) {}
}
