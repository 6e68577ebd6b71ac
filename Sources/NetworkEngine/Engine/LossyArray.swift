import NetworkEngineJSON

/// An array that omits the elements that cannot be decoded.
///
/// ```swift
/// let list: LossyArray<User> = try await provider.request(.list, decoding: .json(at: "data.users"))
/// show(list.elements)
/// for failure in list.failures { log(failure) }           // element 3: not a Int at age
/// ```
/// A property of a model can also be a lossy array. As for other arrays, a value that is not an array is an error.
public struct LossyArray<Element: Decodable> {
    /// The decoded elements, in order.
    public var elements: [Element]
    /// The first hundred omitted elements, in order.
    public var failures: [LossyArrayFailure]
    /// The number of all omitted elements.
    public var failureCount: Int

    /// Creates a list, for example for a mock.
    public init(_ elements: [Element] = [], failures: [LossyArrayFailure] = []) {
        self.elements = elements
        self.failures = failures
        failureCount = failures.count
    }
}

/// An element that could not be decoded.
public struct LossyArrayFailure: Hashable, Sendable {
    /// The element's index in the document.
    public var index: Int
    /// The problem and its path, without values from the document.
    public var reason: String

    /// Creates a failure, for example for a mock.
    public init(index: Int, reason: String) {
        self.index = index
        self.reason = reason
    }
}

extension LossyArrayFailure: CustomStringConvertible {
    public var description: String { "element \(index): \(reason)" }
}

extension LossyArray: Decodable {
    public init(from decoder: any Decoder) throws {
        var array = try decoder.unkeyedContainer()
        self.init()
        while !array.isAtEnd {
            let index = array.currentIndex
            // Reading the element's decoder advances, whether or not the element can be decoded.
            let element = try array.superDecoder()
            do {
                elements.append(try element.singleValueContainer().decode(Element.self))
            } catch {
                failureCount += 1
                // Each failure has a text, and a body with a few bytes per element could produce any number of
                // failures.
                guard failures.count < 100 else { continue }
                failures.append(LossyArrayFailure(index: index, reason: Self.reason(of: error, in: array.codingPath)))
            }
        }
    }

    /// Describes an error, with its path in the element.
    private static func reason(of error: any Error, in array: [any CodingKey]) -> String {
        guard let error = error as? DecodingError else { return "the decoding threw \(type(of: error))" }
        return error.explanation(of: nil, skipping: array.count + 1)
    }
}

extension LossyArray: Encodable where Element: Encodable {
    public func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
}

extension LossyArray: Sendable where Element: Sendable {}
extension LossyArray: Equatable where Element: Equatable {}
extension LossyArray: Hashable where Element: Hashable {}
