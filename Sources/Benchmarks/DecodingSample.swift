import Foundation

/// A document and the type to decode from it.
struct DecodingSample {
    let name: String
    let data: Data
    var decoder = JSONDecoder()
    var type: any Decodable.Type = UserList.self

    /// The time to decode one document in microseconds, with a value or an error as the result.
    func time(_ count: Int = 1, _ decode: (JSONDecoder, any Decodable.Type, Data) throws -> Void) -> Double {
        let start = ContinuousClock.now
        for _ in 0..<count { try? decode(decoder, type, data) }
        return (ContinuousClock.now - start).microseconds / Double(count)
    }
}

extension DecodingSample {
    init(_ name: String, _ text: String, decoder: JSONDecoder = JSONDecoder(), type: any Decodable.Type) {
        self.init(name: name, data: Data(text.utf8), decoder: decoder, type: type)
    }
}
