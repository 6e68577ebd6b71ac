import Foundation

/// What few endpoints have, in one object, to keep an endpoint small.
struct EndpointDetails: Sendable {
    struct Values: Sendable {
        var compared = Compared()
        /// `nil` for the standard validation.
        var validation: ResponseValidation?
        var building: (@Sendable (inout HTTPRequest) throws -> Void)?
        var link: ServerLink?
        var content: EndpointContent?
    }

    /// The values that take part in comparisons.
    struct Compared: Hashable, Sendable {
        var timeout: Duration?
        var deadline: Duration?
        var priority: TransportContext.Priority?
        var template: String?
        var operationName: String?
        var cachePolicy = CachePolicy.useProtocol
        var authorization = AuthorizationRequirement.optional
        var redirects: RedirectPolicy?
    }

    private var boxed: Boxed<Values>?

    var values: Values {
        get { boxed?.values ?? Values() }
        set { boxed = Boxed(newValue) }
    }
}

/// Closures can't be compared and are ignored.
extension EndpointDetails: Hashable {
    static func == (one: EndpointDetails, other: EndpointDetails) -> Bool {
        if let box = one.boxed, let otherBox = other.boxed, box.isCopy(of: otherBox) { return true }
        let (one, other) = (one.values, other.values)
        return one.compared == other.compared && one.link?.url == other.link?.url && one.content == other.content
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(values.compared)
        hasher.combine(values.link?.url)
        if case .body(.data(let bytes)) = values.content { hasher.combine(bytes) }
    }
}

/// A body that is built when the request is sent.
enum EndpointContent: Sendable {
    case json(any Encodable & Sendable, JSONEncoder?)
    case form([(String, String)])
    case multipart([MultipartFormData])
    case file(URL)
    case body(RequestBody)
}

extension EndpointContent: Equatable {
    /// Multipart forms and streams are never equal, because comparing would mean reading them.
    static func == (one: EndpointContent, other: EndpointContent) -> Bool {
        switch (one, other) {
        case (.file(let one), .file(let other)), (.body(.file(let one)), .body(.file(let other))): return one == other
        case (.body(.data(let one)), .body(.data(let other))): return one == other
        case (.body(.absent), .body(.absent)): return true
        case (.form(let one), .form(let other)): return one.elementsEqual(other, by: ==)
        case (.json(let one, nil), .json(let other, nil)):
            guard let data = sorted(one) else { return false }
            return data == sorted(other)
        case (.json(let one, let encoder), .json(let other, let otherEncoder)):
            guard let data = sorted(one, by: encoder) else { return false }
            return data == sorted(other, by: otherEncoder)
        default: return false
        }
    }

    /// Bytes that identify the content, if it is in memory. Numbers keep all their digits.
    var known: Data? {
        switch self {
        case .json(let value, let encoder): Self.sorted(value, like: encoder)
        case .form(let fields): Data(QueryEncoder().encode(fields: fields).utf8)
        case .body(.data(let data)): data
        case .body(.absent): Data()
        case .body, .file, .multipart: nil
        }
    }

    /// The JSON of a value with sorted keys.
    ///
    /// - Parameter own: an encoder with `userInfo` that the value may need.
    private static func sorted(_ value: any Encodable, like own: JSONEncoder? = nil) -> Data? {
        let encoder = JSONEncoder()
        if let own { encoder.userInfo = own.userInfo }
        encoder.outputFormatting = .sortedKeys
        return try? encoder.encode(value)
    }

    /// The JSON of a value with sorted keys, as its own encoder or a default one encodes it.
    private static func sorted(_ value: any Encodable, by encoder: JSONEncoder?) -> Data? {
        // The encoder can be in use elsewhere, so its formatting must not change.
        guard let data = try? (encoder ?? JSONEncoder()).encode(value),
            let object = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        else { return nil }
        return try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .fragmentsAllowed])
    }
}
