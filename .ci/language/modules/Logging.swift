// The part of swift-log that an adapter needs, for samples.
public struct Logger: Sendable {
    public enum Level: Sendable { case info, error }

    public struct Message: ExpressibleByStringInterpolation, Sendable {
        public init(stringLiteral value: String) {}
    }

    public init(label: String) {}

    public func log(level: Level, _ message: @autoclosure () -> Message) {}
}
