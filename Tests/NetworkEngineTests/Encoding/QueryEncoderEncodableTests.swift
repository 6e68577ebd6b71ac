import Foundation
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5)))
struct QueryEncoderEncodableTests {
    struct Search: Encodable {
        var text = "a b"
        var page: Int? = 2
        var tags = ["x", "y"]
        var range = Bounds()
        var sort = Sort.up
        var none: String?
        var url = URL(string: "https://e.com")
        var price = Decimal(string: "1.50")
        var exact = Float(0.1)
        var flags: [String: Bool] = ["b": true, "a": false]
        var set: Set<Int> = [3, 1, 2]
    }
    struct Bounds: Encodable {
        var low = 1
        var high = UInt64.max
    }
    enum Sort: String, Encodable { case up }

    @Test func `properties of every kind are written`() throws {
        let text = try QueryEncoder().encode(Search()).removingPercentEncoding
        #expect(
            text == """
                exact=0.1&flags[a]=0&flags[b]=1&page=2&price=1.5&range[high]=18446744073709551615&range[low]=1\
                &set[]=1&set[]=2&set[]=3&sort=up&tags[]=x&tags[]=y&text=a b&url=https://e.com
                """
        )
    }

    /// Encodes itself with every kind of container.
    struct ByHand: Encodable {
        enum Key: String, CodingKey { case nested, list, parent, own, empty, void }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            var nested = container.nestedContainer(keyedBy: Key.self, forKey: .nested)
            try nested.encode(1, forKey: .own)
            try nested.encodeNil(forKey: .void)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encode("a")
            var inner = list.nestedUnkeyedContainer()
            try inner.encode(true)
            var keyed = list.nestedContainer(keyedBy: Key.self)
            try keyed.encode(2, forKey: .own)
            try list.superEncoder().singleValueContainer(with: "last")
            try list.encodeNil()
            #expect(list.count == 5)
            try container.superEncoder().singleValueContainer(with: "s")
            try container.superEncoder(forKey: .parent).singleValueContainer(with: "p")
            _ = container.nestedUnkeyedContainer(forKey: .empty)
        }
    }

    @Test func `nested and super encoders write at their position`() throws {
        var encoder = QueryEncoder()
        encoder.sortsKeys = false
        encoder.nils = .asNull
        #expect(
            try encoder.encode(ByHand()).removingPercentEncoding == """
                nested[own]=1&nested[void]=null&list[]=a&list[][]=1&list[][own]=2&list[]=last&list[]=null&super=s&parent=p
                """
        )
    }

    class Parent: Encodable {
        var inherited = 1
    }
    final class Child: Parent {
        enum Key: String, CodingKey { case own }
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(2, forKey: .own)
        }
    }

    @Test func `two containers of one encoder share their position`() throws {
        #expect(try QueryEncoder().encode(Child()) == "inherited=1&own=2")
    }

    struct Mixed: Encodable {
        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            try list.encode(1)
            var object = encoder.container(keyedBy: ByHand.Key.self)
            try object.encode(2, forKey: .own)
        }
    }

    @Test func `a value that is encoded twice keeps the last one and does not trap`() throws {
        #expect(try QueryEncoder().encode(Mixed()) == "own=2")
    }

    struct Twice: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: ByHand.Key.self)
            try container.encode(1, forKey: .own)
            var first = container.nestedContainer(keyedBy: ByHand.Key.self, forKey: .nested)
            try first.encode(2, forKey: .own)
            try container.encode("x", forKey: .own)
            var second = container.nestedContainer(keyedBy: ByHand.Key.self, forKey: .nested)
            try second.encode(3, forKey: .void)
        }
    }

    @Test func `a key that is encoded twice is sent once, and nested containers of a key are joined`() throws {
        var encoder = QueryEncoder()
        encoder.sortsKeys = false
        #expect(try encoder.encode(Twice()).removingPercentEncoding == "own=x&nested[own]=2&nested[void]=3")
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    struct Wide: Encodable {
        var large = UInt128(1) << 80
        var small = Int128(-7)
        var absent: UInt128?
        var present: Int128? = 9
        var byHand = WideByHand()
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    struct WideByHand: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: ByHand.Key.self)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encode(Int128(1))
            try list.encode(UInt128(2))
            var own = container.superEncoder(forKey: .own).singleValueContainer()
            try own.encode(Int128(3))
            var parent = container.superEncoder(forKey: .parent).singleValueContainer()
            try parent.encode(UInt128(4))
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func `integers of 128 bits are written by every kind of container`() throws {
        var encoder = QueryEncoder()
        encoder.nils = .asNull
        #expect(
            try encoder.encode(Wide()).removingPercentEncoding == """
                absent=null&byHand[list][]=1&byHand[list][]=2&byHand[own]=3&byHand[parent]=4\
                &large=1208925819614629174706176&present=9&small=-7
                """
        )
    }

    struct Empty: Encodable {}
    struct Silent: Encodable { func encode(to encoder: any Encoder) {} }

    @Test func `a value without properties writes nothing`() throws {
        #expect(try QueryEncoder().encode(Empty()) == "")
        #expect(try QueryEncoder().encode(Silent()) == "")
        #expect(try QueryEncoder().encode([String: Int]() as any Encodable) == "")
    }

    static let nameless: [(any Encodable & Sendable, String)] = [
        ([1, 2], "array"), ([Int](), "array"), (Set([1]), "array"), (7, "Int"), ("text", "String"), (true, "Bool"),
        (1.5, "Double"),
        (Sort.up, "Sort"), (Int?.none, "nil"), (Date(timeIntervalSince1970: 0), "Date"),
    ]

    @Test(arguments: nameless)
    func `a top-level array or scalar is refused with a reason`(
        _ value: any Encodable & Sendable,
        _ word: String
    ) {
        let error = #expect(throws: NetworkError.self) { try QueryEncoder().encode(value) }
        #expect(error?.kind == .encoding)
        #expect(error?.reason.contains("top-level \(word) has no names") == true, "\(error?.reason ?? "")")
        #expect(error?.description.contains("top-level") == true)
    }

    enum Size: String, Encodable { case small, large }

    @Test func `the keys and values of a dictionary whose keys are no names stay in pairs`() throws {
        let sizes = [Size.small: 3, Size.large: 7]
        let text = "sizes[]=large&sizes[]=7&sizes[]=small&sizes[]=3"
        #expect(try QueryEncoder().encode(["sizes": sizes] as any Encodable).removingPercentEncoding == text)
        #expect(try QueryEncoder().encode(["sizes": sizes] as Parameters).removingPercentEncoding == text)
    }

    struct Broken: Encodable {
        struct Refused: Error {}
        func encode(to encoder: any Encoder) throws { throw Refused() }
    }

    @Test func `an error inside a value names the coding path or keeps the cause`() {
        let place = #expect(throws: NetworkError.self) {
            try QueryEncoder().encode(["a": [1, Double.nan]] as any Encodable)
        }
        #expect(place?.reason == "the value at \"a.1\" is not a finite number")
        let cause = #expect(throws: NetworkError.self) { try QueryEncoder().encode(Broken()) }
        #expect(cause?.kind == .encoding && cause?.underlying is Broken.Refused)
    }
}

extension Encoder {
    fileprivate func singleValueContainer(with value: String) throws {
        var container = singleValueContainer()
        try container.encode(value)
    }
}
