/// The names that the package swift-http-types shares with NetworkEngine, for samples that import both.
public struct HTTPRequest: Sendable {
    public var path: String?

    public init(path: String? = nil) { self.path = path }
}

public struct HTTPResponse: Sendable {
    public var status: Int

    public init(status: Int) { self.status = status }
}

/// The name of a client in a package of another kind.
public protocol HTTPClient: Sendable {}
