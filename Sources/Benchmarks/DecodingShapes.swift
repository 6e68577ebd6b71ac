import Foundation
import NetworkEngine
import NetworkEngineGraphQL

/// Documents that require a decoder to try, reject or convert, each with its type.
enum DecodingShapes {
    static var samples: [DecodingSample] { anyJSON + numbers + lossy + deep + failing }

    private static let record =
        #"{"id":12,"price":129.95,"name":"Grace","tags":["a",1,2.5,null],"isNew":true,"size":{"x":1.5,"y":-7,"z":1e3}}"#

    private static func list(_ element: String, _ count: Int = 300) -> String {
        "[\(repeatElement(element, count: count).joined(separator: ","))]"
    }

    private static var anyJSON: [DecodingSample] {
        let camel = JSONDecoder()
        camel.keyDecodingStrategy = .convertFromSnakeCase
        return [
            DecodingSample("any JSON, Int before Double", list(record, 50), type: IntFirst.self),
            DecodingSample("any JSON, one small object", record, type: IntFirst.self),
            DecodingSample("any JSON, names in camel case", list(record, 50), decoder: camel, type: IntFirst.self),
            DecodingSample("any JSON, of prices", list("129.95"), type: IntFirst.self),
            DecodingSample("any JSON, containers first", list(record, 50), type: ContainersFirst.self),
            DecodingSample("GraphQLVariable", list(record, 50), type: GraphQLVariable.self),
        ]
    }

    private static var numbers: [DecodingSample] {
        [
            DecodingSample("1.0 as Int", list("1.0"), type: [Int].self),
            DecodingSample("1e2 as Int", list("1e2"), type: [Int].self),
            DecodingSample("-0 as UInt", list("-0"), type: [UInt].self),
            DecodingSample("9007199254740993.0 as Int", list("9007199254740993.0"), type: [Int].self),
            DecodingSample("19 digits as Int", list("1234567890123456789"), type: [Int].self),
            DecodingSample("20 digits as UInt64", list("18446744073709551615"), type: [UInt64].self),
            DecodingSample("17 digits as Double", list("0.30000000000000004"), type: [Double].self),
            DecodingSample("31 digits as Double", list("123456789012345678901234567890.5"), type: [Double].self),
            DecodingSample("5 digits as Decimal", list("129.95"), type: [Decimal].self),
            DecodingSample("30 digits as Decimal", list("123456789012345678901234567890"), type: [Decimal].self),
        ] + wideNumbers
    }

    private static var wideNumbers: [DecodingSample] {
        guard #available(macOS 15, *) else { return [] }
        let digits = "340282366920938463463374607431768211455"
        return [
            DecodingSample("1 digit as UInt128", list("7"), type: [UInt128].self),
            DecodingSample("39 digits as UInt128", list(digits), type: [UInt128].self),
        ]
    }

    private static var lossy: [DecodingSample] {
        let moments = JSONDecoder()
        moments.dateDecodingStrategy = .iso8601
        return [
            DecodingSample("lossy: 300 as Int8", list("300"), type: Lossy<Int8>.self),
            DecodingSample("lossy: 2^63 as Int", list("9223372036854775808"), type: Lossy<Int>.self),
            DecodingSample("lossy: 1.5 as Int", list("1.5"), type: [Safe<Int>].self),
            DecodingSample("lossy: texts as Int", list(#""x""#), type: [Safe<Int>].self),
            DecodingSample("lossy: texts as moments", list(#""x""#), decoder: moments, type: [Safe<Date>].self),
            DecodingSample(
                "lossy: all kinds as UInt8", list(#"1,2.5,"x",null,300,{},[1]"#, 50), type: Lossy<UInt8>.self),
        ]
    }

    /// Foundation takes a second for any JSON with a nesting depth of 480.
    private static var deep: [DecodingSample] {
        func nest(_ opening: String, _ closing: String, _ depth: Int) -> String {
            String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)
        }
        return [
            DecodingSample("100 objects deep", nest(#"{"a":"#, "}", 100), type: IntFirst.self),
            DecodingSample("100 arrays deep", nest("[", "]", 100), type: IntFirst.self),
            DecodingSample("480 objects deep", nest(#"{"a":"#, "}", 480), type: ContainersFirst.self),
        ]
    }

    private static var failing: [DecodingSample] {
        let good = repeatElement(#"{"id":7,"name":"Grace"}"#, count: 100).joined(separator: ",")
        return [
            DecodingSample("fails at the end: a text", #"[\#(good),{"id":"x"}]"#, type: [Named].self),
            DecodingSample("fails at the end: 1.5 as Int", #"[\#(good),{"id":1.5}]"#, type: [Named].self),
            DecodingSample("fails at the end: no name", #"[\#(good),{"id":1}]"#, type: [Named].self),
            DecodingSample("fails at the end: cut off", #"[\#(good),{"id":1"#, type: [Named].self),
        ]
    }
}

private struct Named: Decodable {
    var id: Int
    var name: String
}

/// Determines the kind of a value by trying, integers first.
private indirect enum IntFirst: Decodable {
    case null, bool(Bool), int(Int), number(Double), text(String), list([IntFirst]), object([String: IntFirst])

    init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if single.decodeNil() {
            self = .null
        } else if let value = try? single.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? single.decode(Int.self) {
            self = .int(value)
        } else if let value = try? single.decode(Double.self) {
            self = .number(value)
        } else if let value = try? single.decode(String.self) {
            self = .text(value)
        } else if let value = try? single.decode([IntFirst].self) {
            self = .list(value)
        } else {
            self = .object(try single.decode([String: IntFirst].self))
        }
    }
}

/// Determines the kind of a value by trying, objects and arrays first.
private indirect enum ContainersFirst: Decodable {
    case null, bool(Bool), int(Int), number(Double), text(String), list([ContainersFirst])
    case object([String: ContainersFirst])

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Name.self) {
            var members: [String: ContainersFirst] = [:]
            for key in object.allKeys { members[key.stringValue] = try object.decode(Self.self, forKey: key) }
            self = .object(members)
        } else if var list = try? decoder.unkeyedContainer() {
            var values: [ContainersFirst] = []
            while !list.isAtEnd { values.append(try list.decode(Self.self)) }
            self = .list(values)
        } else {
            let single = try decoder.singleValueContainer()
            if single.decodeNil() {
                self = .null
            } else if let value = try? single.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? single.decode(Int.self) {
                self = .int(value)
            } else if let value = try? single.decode(Double.self) {
                self = .number(value)
            } else {
                self = .text(try single.decode(String.self))
            }
        }
    }
}

/// Elements with the given type; others are skipped.
private struct Lossy<Value: Decodable>: Decodable {
    private struct Other: Decodable {}

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        while !list.isAtEnd {
            if (try? list.decode(Value.self)) == nil { _ = try list.decode(Other.self) }
        }
    }
}

/// A value, or `nil` if it has another type.
private struct Safe<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? decoder.singleValueContainer().decode(Value.self) }
}
