/// Something that happens at a moment of an exchange.
public struct LoopbackIncident: Sendable {
    public enum Action: Sendable {
        case fault(LoopbackFault)
        case wait(Duration)
        case hold(LoopbackBarrier)
    }

    public var point: LoopbackPoint
    public var action: Action

    public init(at point: LoopbackPoint, _ action: Action) {
        self.point = point
        self.action = action
    }
}
