/// The part of swift-http-types that samples use together with NetworkEngine.
public struct HTTPField: Hashable, Sendable {
    public struct Name: Hashable, Sendable {
        public let rawName: String

        public init?(_ name: String) {
            if name.isEmpty { return nil }
            rawName = name
        }
    }

    public var name: Name
    public var value: String

    public init(name: Name, value: String) { (self.name, self.value) = (name, value) }
}

public struct HTTPFields: Sendable, RandomAccessCollection {
    private var fields: [HTTPField] = []

    public init() {}
    public var startIndex: Int { fields.startIndex }
    public var endIndex: Int { fields.endIndex }
    public subscript(index: Int) -> HTTPField { fields[index] }
    public mutating func append(_ field: HTTPField) { fields.append(field) }
}

public struct HTTPRequest: Sendable {
    public struct Method: Hashable, Sendable {
        public static let get = Self("GET")
        public let rawValue: String

        public init?(rawValue: String) { self.init(rawValue) }
        private init(_ rawValue: String) { self.rawValue = rawValue }
    }

    public var method: Method
    public var scheme: String?
    public var authority: String?
    public var path: String?
    public var headerFields: HTTPFields

    public init(
        method: Method, scheme: String?, authority: String?, path: String?, headerFields: HTTPFields = HTTPFields()
    ) {
        (self.method, self.scheme, self.authority, self.path) = (method, scheme, authority, path)
        self.headerFields = headerFields
    }
}

public struct HTTPResponse: Sendable {
    public struct Status: Hashable, Sendable {
        public let code: Int
        public init(code: Int) { self.code = code }
    }

    public var status: Status
    public var headerFields: HTTPFields

    public init(status: Status, headerFields: HTTPFields = HTTPFields()) {
        (self.status, self.headerFields) = (status, headerFields)
    }
}

/// A client in another package with the same name.
public protocol HTTPClient: Sendable {}
