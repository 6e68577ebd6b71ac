import Foundation

@testable import NetworkEngine

/// A value that tells its storm when it is decoded.
struct StormUser: Decodable, Sendable {
    let id: Int

    private enum Keys: CodingKey { case id }

    init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .id)
        guard let key = StormTable.key, let table = decoder.userInfo[key] as? StormTable else { return }
        table.call(id)?.reached(.decode)
    }
}

/// The calls of a storm that have not ended yet, by their numbers.
final class StormTable: Sendable {
    static let key = CodingUserInfoKey(rawValue: "StormTable")
    static let header = "X-Call"

    private let calls = Locked<[Int: StormCall]>([:])

    func call(_ number: Int) -> StormCall? { calls.withLock { $0[number] } }

    func call(of headers: HTTPHeaders) -> StormCall? { headers[Self.header].flatMap(Int.init).flatMap(call) }

    func add(_ call: StormCall, _ number: Int) { calls.withLock { $0[number] = call } }

    func remove(_ number: Int) {
        // Returned, so that the call dies outside the lock.
        _ = calls.withLock { $0.removeValue(forKey: number) }
    }

    /// The document for the call that these headers belong to.
    static func document(for headers: HTTPHeaders) -> String { #"{"id":\#(headers[header] ?? "0"),"name":"Ada"}"# }
}
