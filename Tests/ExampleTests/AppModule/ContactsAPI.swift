import Foundation
import NetworkEngine

/// The requests of the contacts service.
enum ContactsAPI: TargetType {
    case signIn(name: String, password: String)
    case refresh(token: String)
    case list(search: String, page: Int = 1)
    case contact(Contact.ID)
    case create(Contact.Draft)
    case avatar(Contact.ID, image: Data)
    case invoice(Contact.ID)
    case delete(Contact.ID)
    case changes

    var baseURL: URL { AppEnvironment.production.address }

    var path: EndpointPath {
        switch self {
        case .signIn: "/session"
        case .refresh: "/session/refresh"
        case .list, .create: "/contacts"
        case .contact(let id), .delete(let id): "/contacts/\(id)"
        case .avatar(let id, _): "/contacts/\(id)/avatar"
        case .invoice(let id): "/contacts/\(id)/invoice.pdf"
        case .changes: "/contacts/changes"
        }
    }

    var method: HTTPMethod {
        switch self {
        case .signIn, .refresh, .create: .post
        case .avatar: .put
        case .delete: .delete
        case .list, .contact, .invoice, .changes: .get
        }
    }

    var task: NetworkTask {
        switch self {
        case .signIn(let name, let password): .requestJSONEncodable(["name": name, "password": password])
        case .refresh(let token): .requestJSONEncodable(["refreshToken": token])
        case .list(let search, let page):
            .requestParameters(parameters: ["search": search, "page": page], encoding: .query)
        case .create(let draft): .requestJSONEncodable(draft)
        case .avatar(_, let image):
            .uploadMultipart([MultipartFormData(provider: .data(image), name: "avatar", fileName: "avatar.png")])
        case .invoice: .downloadDestination(.temporary)
        case .contact, .delete, .changes: .requestPlain
        }
    }

    var authorization: AuthorizationRequirement {
        switch self {
        case .signIn, .refresh: .anonymous
        default: .required
        }
    }
}
