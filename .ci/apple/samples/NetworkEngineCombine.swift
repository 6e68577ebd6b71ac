import Combine
import Foundation
import NetworkEngine
import NetworkEngineCombine

// The sample on the module's page.

struct User: Decodable, Sendable {
    var name: String
}

enum API: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
}

func show(_ value: Any) {}

func watch(_ provider: NetworkProvider<API>) -> AnyCancellable {
    // sample
    let user = provider.requestPublisher(.user(7), as: User.self)
    let subscription = user.sink { completion in show(completion) } receiveValue: { user in show(user.name) }
    // end
    return subscription
}
