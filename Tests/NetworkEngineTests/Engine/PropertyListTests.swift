import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Bodies that are property lists, or that nothing reads.
@Suite(.timeLimit(.minutes(5))) struct PropertyListTests {
    private struct User: Codable, Equatable, Sendable {
        var name: String
        var tags: [String]
        var since: Date
    }

    /// A type that decodes lists of any depth.
    private struct Tree: Decodable, Sendable {
        var children: [Tree]
        init(from decoder: any Decoder) throws { children = try decoder.singleValueContainer().decode([Tree].self) }
    }

    private static let user = User(name: "Ann & <Bob>", tags: ["a", "a"], since: Date(timeIntervalSince1970: 100))

    private static func list(_ format: PropertyListSerialization.PropertyListFormat) throws -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        return try encoder.encode(user)
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func `a property list is decoded`(format: PropertyListSerialization.PropertyListFormat) throws {
        #expect(try ResponseDecoding<User>.plist.value(.sample(Self.list(format))) == Self.user)
    }

    @Test func `comments, character data and empty elements are read`() throws {
        let list = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><!-- <array> --><array><true/><string><![CDATA[<array>]]></string><array/></array></plist>
            """
        let values = try ResponseDecoding<LossyArray<String>>.plist.value(.sample(list))
        #expect(values.elements == ["<array>"] && values.failures.map(\.index) == [0, 2])
    }

    @Test func `any number of failures is counted, and a hundred are kept`() throws {
        let text = "[" + String(repeating: "0,", count: 10_000) + "\"a\"]"
        let values = try ResponseDecoding<LossyArray<String>>.json.value(.sample(text))
        #expect(values.elements == ["a"] && values.failureCount == 10_000 && values.failures.count == 100)
    }

    @Test func `an absent body is treated as for JSON`() throws {
        #expect(try ResponseDecoding<User?>.plist.value(.sample("", status: 204)) == nil)
        let error = #expect(throws: NetworkError.self) { try ResponseDecoding<User>.plist.value(.sample("")) }
        #expect(error?.kind == .emptyBody)
    }

    @Test func `an error names the coding path, and a body in another format is told`() throws {
        let response = HTTPResponse.sample(try Self.list(.xml))
        let error = #expect(throws: NetworkError.self) { try ResponseDecoding<[String: Int]>.plist.value(response) }
        #expect(error?.kind == .decoding && error?.underlying is DecodingError)
        for text in ["{\"name\": 1}", "{ name = Ann; }", "plain", "<html></html>", "bplist00"] {
            let error = #expect(throws: NetworkError.self) { try ResponseDecoding<User>.plist.value(.sample(text)) }
            #expect(error?.reason == "the body is not a valid property list", "\(text)")
        }
    }

    @Test(arguments: [
        String(repeating: "<array>", count: 100_000), String(repeating: "<array>", count: 200),
        String(repeating: "<array><!-- </array> -->", count: 100_000),
        String(repeating: "<array><![CDATA[</array>]]>", count: 100_000),
        String(repeating: "<array a=\"/>\">", count: 100_000), "<array", "<!-- <array>", "<![CDATA[",
        "<!-->" + String(repeating: "</array>", count: 100_000) + "-->"
            + String(repeating: "<array>", count: 100_000),
        "<?>" + String(repeating: "</array>", count: 1_000) + "?>" + String(repeating: "<array>", count: 1_000),
        "</array></array></plist><plist>",
    ])
    func `a deep list in XML is an error, also with hidden ends`(content: String) {
        for list in ["<plist>\(content)", "<?xml version=\"1.0\"?><plist>\(content)</plist>"] {
            #expect(throws: NetworkError.self) { try ResponseDecoding<Tree>.plist.value(.sample(list)) }
        }
    }

    @Test func `an encoding that could hide tags is an error`() throws {
        for name in ["UTF-7", "utf-16", "IBM037"] {
            let list = "<?xml version=\"1.0\" encoding=\"\(name)\"?><plist><array/></plist>"
            #expect(throws: NetworkError.self) { try ResponseDecoding<[Int]>.plist.value(.sample(list)) }
        }
        let wide = try #require("<plist><array/></plist>".data(using: .utf16))
        #expect(throws: NetworkError.self) { try ResponseDecoding<[Int]>.plist.value(.sample(wide)) }
    }

    /// A binary list of arrays, each with references to others.
    private static func binary(_ arrays: [[UInt8]]) -> Data {
        var list = Data("bplist00".utf8)
        var offsets: [UInt8] = []
        for members in arrays {
            offsets.append(UInt8(list.count))
            list += [0xA0 | UInt8(members.count)] + members
        }
        let table = UInt8(list.count)
        list += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
        for number in [UInt8(arrays.count), 0, table] { list += [0, 0, 0, 0, 0, 0, 0, number] }
        return list
    }

    @Test func `a binary list that contains itself, or one array twice, is an error`() throws {
        let tree = try ResponseDecoding<Tree>.plist.value(.sample(Self.binary([[1, 2], [], [3], []])))
        #expect(tree.children.count == 2)
        for arrays in [[[0]], [[1], [0]], [[1, 1], [2, 2], [3], []]] as [[[UInt8]]] {
            #expect(throws: NetworkError.self) { try ResponseDecoding<Tree>.plist.value(.sample(Self.binary(arrays))) }
        }
    }

    /// A binary list of objects, given by their bytes.
    private static func binary(objects: [[UInt8]], referenceSize: UInt8 = 1) -> Data {
        var list = Data("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += [UInt8(list.count >> 8), UInt8(list.count & 0xFF)]
            list += object
        }
        let table = list.count
        list += offsets + [0, 0, 0, 0, 0, 0, 2, referenceSize]
        for number in [objects.count, 0, table] {
            list += [0, 0, 0, 0, 0, 0] + [UInt8(number >> 8), UInt8(number & 0xFF)]
        }
        return list
    }

    @Test(
        arguments: [
            [0x6F, 0x10, 100] + [UInt8](repeating: 0, count: 150),
            [0x5F, 0x10, 200] + [UInt8](repeating: 65, count: 150),
            [0x4F, 0x10, 200] + [UInt8](repeating: 65, count: 150), [0x6E, 0, 65], [0x5E, 65], [0x14], [0x13, 0],
            [0x22, 0],
            [0x33, 0], [0x8F, 0], [0x90], [0xE0], [0xF0],
        ] as [[UInt8]])
    func `a value of a binary list that ends beyond the values is an error`(object: [UInt8]) {
        let list = Self.binary(objects: [[0xD1, 1, 2], [0x54] + Array("name".utf8), object])
        #expect(throws: NetworkError.self) { try ResponseDecoding<[String: String]>.plist.value(.sample(list)) }
    }

    @Test func `values of a binary list that end with the values are read`() throws {
        let wide: [UInt8] = [0x63, 0, 65, 0, 66, 0, 67]
        let list = Self.binary(objects: [[0xD1, 1, 2], [0x54] + Array("name".utf8), wide])
        #expect(try ResponseDecoding<[String: String]>.plist.value(.sample(list)) == ["name": "ABC"])
    }

    @Test func `arrays that share their references are an error before they take long`() {
        // Each of the arrays has the same thousand references.
        let count = 4_000
        var list = Data("bplist00".utf8)
        let references = [UInt8](repeating: 0, count: 2_000).enumerated().map {
            UInt8($0.offset % 2 == 0 ? 0x0F : 0xA1)
        }
        let top = list.count
        list += [0xAF, 0x11, UInt8(count >> 8), UInt8(count & 0xFF)]
        for index in 1...count { list += [UInt8(index >> 8), UInt8(index & 0xFF)] }
        let shared = list.count
        list += [0xAF, 0x11, 0x03, 0xE8] + references
        let scalar = list.count
        list += [0x09]
        let table = list.count
        for offset in [top] + Array(repeating: shared, count: count) + Array(repeating: scalar, count: 5_000) {
            list += [UInt8(offset >> 8 & 0xFF), UInt8(offset & 0xFF)]
        }
        list += [0, 0, 0, 0, 0, 0, 2, 2]
        for number in [count + 5_001, 0, table] {
            list += [0, 0, 0, 0, 0] + [UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
        }
        #expect(throws: NetworkError.self) { try ResponseDecoding<LossyArray<Int>>.plist.value(.sample(list)) }
    }

    @Test func `no damage to a list ends the process`() throws {
        let lists = [try Self.list(.xml), try Self.list(.binary), Self.binary([[1, 2], [], [3], []])]
        for seed in Schedules.seeds {
            var random = SeededGenerator(seed: seed)
            for var list in lists {
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let index = Int.random(in: 0..<list.count, using: &random)
                    list[index] = UInt8.random(in: 0...255, using: &random)
                }
                if Bool.random(using: &random) { list = list.prefix(Int.random(in: 0...list.count, using: &random)) }
                _ = try? ResponseDecoding<Tree>.plist.value(.sample(Data(list)))
                _ = try? ResponseDecoding<User>.plist.value(.sample(Data(list)))
            }
        }
    }

    @Test(arguments: ["", "not JSON", "{}"])
    func `an empty value ignores the body`(body: String) async throws {
        #expect(try ResponseDecoding<EmptyBody>.json.value(.sample(body)) == EmptyBody())
        let provider = NetworkProvider<TestTarget>(MockTransport(.status(200, body: body)))
        #expect(try await provider.request(TestTarget(), as: EmptyBody.self) == EmptyBody())
    }
}
