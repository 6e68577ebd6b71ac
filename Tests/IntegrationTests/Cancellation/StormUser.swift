import Foundation

@testable import NetworkEngine

/// A value that notifies its storm when it's decoded.
struct StormUser: Decodable, Sendable {
    let id: Int

    private enum Keys: CodingKey { case id }

    init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .id)
        guard let key = StormTable.key, let table = decoder.userInfo[key] as? StormTable else { return }
        table.call(id)?.reached(.decode)
    }
}

/// The storm's unfinished calls, by number.
final class StormTable: Sendable {
    static let key = CodingUserInfoKey(rawValue: "StormTable")
    static let header = "X-Call"

    private let calls = Locked<[Int: StormCall]>([:])

    func call(_ number: Int) -> StormCall? { calls.withLock { $0[number] } }

    func call(of headers: HTTPHeaders) -> StormCall? { headers[Self.header].flatMap(Int.init).flatMap(call) }

    func add(_ call: StormCall, _ number: Int) { calls.withLock { $0[number] = call } }

    func remove(_ number: Int) {
        // Returned, so that the call is deallocated outside the lock.
        _ = calls.withLock { $0.removeValue(forKey: number) }
    }

    /// The document for the call with these headers.
    static func document(for headers: HTTPHeaders) -> String { #"{"id":\#(headers[header] ?? "0"),"name":"Ada"}"# }
}
