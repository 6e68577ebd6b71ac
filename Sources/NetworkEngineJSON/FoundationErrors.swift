import Foundation

/// Compares error texts with the running version of Foundation, because they differ between versions.
enum FoundationErrors {
    static let areKnown: Bool = {
        let texts = ["null", "true", "1", "1.5", #""*""#, "[]", "{}"]
        let types: [any Decodable.Type] = [
            Bool.self, Int.self, Double.self, String.self, [Int].self, [String: Int].self, Member.self, Element.self,
            Parent.self, Decimal.self, Data.self, URL.self, UInt8?.self,
        ]
        return types.allSatisfy { type in texts.allSatisfy { isSame(type, Data($0.utf8)) } }
            && isSame(URL.self, Data(#""""#.utf8)) && isSame([[String: Int]].self, Data(#"[{"a":true}]"#.utf8))
            && failure { try JSONDecoder().decode(Int.self, from: Data("[1 2]".utf8)) } == "\(DecodingError.notJSON)"
    }()

    private static func isSame(_ type: any Decodable.Type, _ text: Data) -> Bool {
        let decoder = JSONDecoder()
        let document = JSONDocument(JSONSettings(decoder, .asWritten))
        _ = text.withUnsafeBytes(document.scan)
        return failure { try decoder.decode(type, from: text) }
            == failure { try document.value(type, JSONValue(document)) }
    }

    private static func failure(_ decode: () throws -> Any) -> String? {
        do {
            _ = try decode()
            return nil
        } catch {
            return "\(JSONError.topLevel(error))"
        }
    }

    private struct Member: Decodable { let name: Int }

    private struct Element: Decodable {
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            _ = try list.decode(Int.self)
        }
    }

    private struct Parent: Decodable {
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            _ = try list.superDecoder()
        }
    }
}
