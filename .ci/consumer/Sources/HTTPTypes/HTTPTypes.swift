/// The part of swift-http-types that a generated client passes to its transport.
public struct HTTPField: Hashable, Sendable {
    public struct Name: Hashable, Sendable {
        public let rawName: String

        public init?(_ name: String) {
            if name.isEmpty { return nil }
            rawName = name
        }
    }

    public let name: Name
    public let value: String

    public init(name: Name, value: String) { (self.name, self.value) = (name, value) }
}

public struct HTTPFields: Sendable, RandomAccessCollection {
    private var fields: [HTTPField] = []

    public init() {}
    public var startIndex: Int { fields.startIndex }
    public var endIndex: Int { fields.endIndex }
    public subscript(index: Int) -> HTTPField { fields[index] }
    public mutating func append(_ field: HTTPField) { fields.append(field) }

    public subscript(name: HTTPField.Name) -> String? {
        fields.first { $0.name.rawName.lowercased() == name.rawName.lowercased() }?.value
    }
}

public struct HTTPRequest: Sendable {
    public struct Method: Hashable, Sendable {
        public let rawValue: String
        public init?(_ rawValue: String) { self.rawValue = rawValue }
    }

    public var method: Method
    public var path: String?
    public var headerFields: HTTPFields

    public init(method: Method, path: String?, headerFields: HTTPFields = HTTPFields()) {
        (self.method, self.path, self.headerFields) = (method, path, headerFields)
    }
}

public struct HTTPResponse: Sendable {
    public struct Status: Hashable, Sendable {
        public let code: Int
        public init(code: Int) { self.code = code }
    }

    public var status: Status
    public var headerFields = HTTPFields()

    public init(status: Status) { self.status = status }
}
