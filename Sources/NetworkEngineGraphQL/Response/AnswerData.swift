import FastJSON
import Foundation
import NetworkEngine

extension ResponseOutline {
    /// Reads as much of the body of an answer as is the same for every operation.
    init(of body: Data) throws {
        self = try JSONDecoder().decodeInternal(Self.self, from: body)
    }

    /// The data in the body; `nil` where there is none.
    func data<Value: Decodable>(_ type: Value.Type, in body: Data, by decoder: JSONDecoder) throws -> Value? {
        guard hasData else { return nil }
        func data(in body: Data) throws -> Value {
            try BodyDecoder(decoder).decode(AnswerData<Value>.self, from: body, at: "data").value
        }
        do {
            return try data(in: body)
        } catch  where dataIsEmptyArray {
            guard let value = try? data(in: Data(#"{"data":{}}"#.utf8)) else { throw error }
            return value
        }
    }
}

/// A value that is decoded as a member of its type would be, with all of a decoder's strategies.
private struct AnswerData<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(Value.self)
    }
}
