import Dispatch

public struct NWInterface: Hashable, Sendable {
    public enum InterfaceType: Hashable, Sendable { case other, wifi, cellular, wiredEthernet, loopback }
    public var type: InterfaceType { .other }
    public var name: String { "" }
}

public struct NWPath: Equatable, Sendable {
    public enum Status: Hashable, Sendable { case satisfied, unsatisfied, requiresConnection }
    public enum UnsatisfiedReason: Sendable { case notAvailable, cellularDenied, wifiDenied, localNetworkDenied, vpnInactive }
    public var status: Status { .satisfied }
    public var unsatisfiedReason: UnsatisfiedReason { .notAvailable }
    public var availableInterfaces: [NWInterface] { [] }
    public var isExpensive: Bool { false }
    public var isConstrained: Bool { false }
    public var supportsIPv4: Bool { true }
    public var supportsIPv6: Bool { true }
    public var supportsDNS: Bool { true }
    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool { false }
}

public final class NWPathMonitor: Sendable {
    public init() {}
    public init(requiredInterfaceType: NWInterface.InterfaceType) {}
    public init(prohibitedInterfaceTypes: [NWInterface.InterfaceType]) {}
    public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)? {
        get { nil }
        set {}
    }
    public var currentPath: NWPath { NWPath() }
    public var queue: DispatchQueue? { nil }
    public func start(queue: DispatchQueue) {}
    public func cancel() {}
}

@available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
public struct ProxyConfiguration: Sendable {
    public var matchDomains: [String]
    public var excludedDomains: [String]
    public var allowFailover: Bool
}
