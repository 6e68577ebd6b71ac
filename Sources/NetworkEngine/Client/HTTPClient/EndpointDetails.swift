import Foundation

/// What few endpoints have, in one object, so that an endpoint stays small.
final class EndpointDetails: Sendable {
    /// `nil` for the standard validation.
    let validation: ResponseValidation?
    let authorization: AuthorizationRequirement
    let building: (@Sendable (inout HTTPRequest) throws -> Void)?
    let link: PageLink?
    let content: EndpointContent?

    init(_ values: Values) {
        validation = values.validation
        authorization = values.authorization
        building = values.building
        link = values.link
        content = values.content
    }

    struct Values {
        var validation: ResponseValidation?
        var authorization = AuthorizationRequirement.optional
        var building: (@Sendable (inout HTTPRequest) throws -> Void)?
        var link: PageLink?
        var content: EndpointContent?

        init(_ details: EndpointDetails?) {
            guard let details else { return }
            (validation, authorization, building) = (details.validation, details.authorization, details.building)
            (link, content) = (details.link, details.content)
        }
    }
}

extension EndpointDetails {
    /// The details of an endpoint, as a value that can be compared. Closures have no equality, and are not compared.
    struct Holder: Hashable, Sendable {
        var details: EndpointDetails?

        static func == (one: Holder, other: Holder) -> Bool {
            let (one, other) = (one.details, other.details)
            if one === other { return true }
            return (one?.authorization ?? .optional) == (other?.authorization ?? .optional)
                && one?.link?.url == other?.link?.url && one?.content == other?.content
        }

        func hash(into hasher: inout Hasher) { hasher.combine(details?.link?.url) }
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
        case (.file(let one), .file(let other)): return one == other
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
