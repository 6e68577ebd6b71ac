import Foundation
import NetworkEngineGraphQL
import Testing

@testable import NetworkEngine
@testable import NetworkEngineJSON

@Suite(.timeLimit(.minutes(5))) struct GraphQLVariableTests {
    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test func `values of every kind are written as literals`() throws {
        let variables: [String: GraphQLVariable] = [
            "string": "a", "int": 7, "double": 1.5, "bool": true, "null": nil, "list": [1, "b", nil],
            "object": ["x": ["y": false]], "enum": .enum("NEWEST"),
        ]
        #expect(
            try json(variables)
                == #"{"bool":true,"double":1.5,"enum":"NEWEST","int":7,"list":[1,"b",null],"null":null,"#
                + #""object":{"x":{"y":false}},"string":"a"}"#)
    }

    @Test(arguments: [Int.min, Int(Int32.min) - 1, Int(Int32.max) + 1, 1 << 53 + 1, Int.max])
    func `an integer of 64 bits is sent unchanged, because only the server knows the type of a variable`(
        value: Int
    ) throws {
        let variable = GraphQLVariable.int(value)
        #expect(try json(variable) == "\(value)")
        #expect(try JSONDecoder().decodeSafely(GraphQLVariable.self, from: Data("\(value)".utf8)) == variable)
        #expect(try GraphQLVariable(encoding: value) == variable)
    }

    @Test func `encoded variables are read back`() throws {
        let value: GraphQLVariable = ["a": [1, 2.5, "x", true, nil, ["b": []]]]
        #expect(try JSONDecoder().decode(GraphQLVariable.self, from: Data(json(value).utf8)) == value)
    }

    /// Decoders that report a value's kind, and one that doesn't.
    private static let decoders: [@Sendable (JSONDecoder) -> Void] = [{ _ in }, { $0.allowsJSON5 = true }]

    @Test(
        arguments: decoders.indices,
        [
            ("1.0", .int(1)), ("1.5", .double(1.5)), ("1e100", .double(1e100)), ("-1e-200", .double(-1e-200)),
            ("-0", .int(0)),
            ("[]", .list([])), ("{}", .object([:])), (#""1""#, "1"), ("null", .null), ("false", .bool(false)),
            (#"{"user_name":[{"firstName":null}]}"#, ["user_name": [["firstName": nil]]]),
        ] as [(String, GraphQLVariable)])
    func `a value decodes to the same JSON with any decoder`(index: Int, sample: (String, GraphQLVariable)) throws {
        let decoder = JSONDecoder()
        Self.decoders[index](decoder)
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(try decoder.decodeSafely(GraphQLVariable.self, from: Data(sample.0.utf8)) == sample.1)
    }

    @Test(arguments: decoders.indices) func `values are nested at most 128 deep`(index: Int) throws {
        let decoder = JSONDecoder()
        Self.decoders[index](decoder)
        func value(_ depth: Int) throws -> GraphQLVariable {
            let text = String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
            return try decoder.decodeSafely(GraphQLVariable.self, from: Data(text.utf8))
        }
        #expect(throws: Never.self) { try value(128) }
        #expect(throws: DecodingError.self) { try value(129) }
        #expect(throws: DecodingError.self) { try value(480) }
    }

    @Test func `a type of the app can be a variable`() throws {
        struct Filter: Encodable { var name = "Ada", limit = 3 }
        #expect(try GraphQLVariable(encoding: Filter()) == ["name": "Ada", "limit": 3])
    }

    @Test(arguments: [
        "18446744073709551615", "170141183460469231731687303715884105727", "-170141183460469231731687303715884105728",
        "0.1234567890123456789", "12345678901234567890.5", "9223372036854775808", "123456789.12345677",
        "1234567890123456.7",
    ])
    func `a number arrives as it is written, also with more digits than a Double has`(text: String) throws {
        let number = try #require(Decimal(string: text))
        #expect(try json(GraphQLVariable(encoding: number)) == json(number))
        for decoder in Self.decoders {
            let reader = JSONDecoder()
            decoder(reader)
            let variable = try reader.decodeSafely(GraphQLVariable.self, from: Data("[\(text)]".utf8))
            #expect(try json(variable) == json([number]), "\(text)")
        }
    }

    @Test(arguments: [("0.10000000000000001", 0.1), ("2.2999999999999998", 2.3), ("1.10", 1.1), ("1e22", 1e22)])
    func `the text of a binary fraction is a double`(text: String, value: Double) throws {
        let variable = try JSONDecoder().decodeSafely(GraphQLVariable.self, from: Data(text.utf8))
        #expect(variable == .double(value))
    }

    @Test func `a wide integer of the app can be a variable`() throws {
        #expect(try json(GraphQLVariable(encoding: UInt64.max)) == "\(UInt64.max)")
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            #expect(try json(GraphQLVariable(encoding: Int128.min)) == "\(Int128.min)")
        }
    }
}
