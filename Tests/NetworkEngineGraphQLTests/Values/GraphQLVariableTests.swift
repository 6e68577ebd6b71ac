import Foundation
import NetworkEngineGraphQL
import Testing

@Suite(.timeLimit(.minutes(5))) struct GraphQLVariableTests {
    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test func `promise 33: values of every kind are written as literals`() throws {
        let variables: [String: GraphQLVariable] = [
            "string": "a", "int": 7, "double": 1.5, "bool": true, "null": nil, "list": [1, "b", nil],
            "object": ["x": ["y": false]], "enum": .enum("NEWEST"),
        ]
        #expect(
            try json(variables)
                == #"{"bool":true,"double":1.5,"enum":"NEWEST","int":7,"list":[1,"b",null],"null":null,"#
                + #""object":{"x":{"y":false}},"string":"a"}"#)
    }

    @Test func `what was written is read back`() throws {
        let value: GraphQLVariable = ["a": [1, 2.5, "x", true, nil, ["b": []]]]
        #expect(try JSONDecoder().decode(GraphQLVariable.self, from: Data(json(value).utf8)) == value)
    }

    @Test func `a value of the app's own can be a variable`() throws {
        struct Filter: Encodable { var name = "Ada", limit = 3 }
        #expect(try GraphQLVariable(encoding: Filter()) == ["name": "Ada", "limit": 3])
    }
}
