import Foundation

/// What few endpoints have, in one object, so that an endpoint stays small.
final class EndpointDetails: Sendable {
    let values: Values

    init(_ values: Values) { self.values = values }

    struct Values: Sendable {
        var compared = Compared()
        /// `nil` for the standard validation.
        var validation: ResponseValidation?
        var building: (@Sendable (inout HTTPRequest) throws -> Void)?
        var link: ServerLink?
        var content: EndpointContent?
    }

    /// The values that make endpoints different.
    struct Compared: Hashable, Sendable {
        var body: Data?
        var timeout: Duration?
        var deadline: Duration?
        var priority: TransportContext.Priority?
        var template: String?
        var operationName: String?
        var cachePolicy = CachePolicy.useProtocol
        var authorization = AuthorizationRequirement.optional
        var redirects: RedirectPolicy?
    }
}

extension EndpointDetails {
    /// The details of an endpoint, as a value that can be compared. Closures have no equality, and are not compared.
    struct Holder: Hashable, Sendable {
        var details: EndpointDetails?

        static func == (one: Holder, other: Holder) -> Bool {
            if one.details === other.details { return true }
            let (one, other) = (one.values, other.values)
            return one.compared == other.compared && one.link?.url == other.link?.url && one.content == other.content
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(values.compared)
            hasher.combine(values.link?.url)
        }

        var values: Values { details?.values ?? Values() }
    }
}

/// A body that is made when the request is sent.
enum EndpointContent: Sendable {
    case json(any Encodable & Sendable, JSONEncoder?)
    case form(KeyValuePairs<String, String>)
    case multipart([MultipartFormData])
    case file(URL)
    case body(RequestBody)
}

extension EndpointContent: Equatable {
    /// Multipart forms and streams are equal to nothing, because they are not read for it.
    static func == (one: EndpointContent, other: EndpointContent) -> Bool {
        switch (one, other) {
        case (.file(let one), .file(let other)), (.body(.file(let one)), .body(.file(let other))): return one == other
        case (.body(.data(let one)), .body(.data(let other))): return one == other
        case (.body(.none), .body(.none)): return true
        case (.form(let one), .form(let other)): return one.elementsEqual(other, by: ==)
        case (.json(let one, _), .json(let other, _)):
            guard let data = sorted(one) else { return false }
            return data == sorted(other)
        default: return false
        }
    }

    private static func sorted(_ value: any Encodable) -> Data? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try? encoder.encode(value)
    }
}
