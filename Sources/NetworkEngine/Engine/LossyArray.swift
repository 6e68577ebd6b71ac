import NetworkEngineJSON

/// An array without the elements that cannot be decoded.
///
/// ```swift
/// let list: LossyArray<User> = try await provider.request(.list, decoding: .json(at: "data.users"))
/// show(list.elements)
/// for failure in list.failures { log(failure) }           // element 3: not a Int at age
/// ```
/// A member of a model can be a lossy array, too. A value that is not an array is an error, as for other arrays.
public struct LossyArray<Element: Decodable> {
    /// The decoded elements, in order.
    public var elements: [Element]
    /// The first hundred elements that were left out, in order.
    public var failures: [LossyArrayFailure]
    /// The number of all elements that were left out.
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
    /// The index of the element in the document.
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
            // Reading the element's decoder advances, whether the element can be decoded or not.
            let element = try array.superDecoder()
            do {
                elements.append(try element.singleValueContainer().decode(Element.self))
            } catch {
                failureCount += 1
                // Each has a text, and a body of a few bytes per element could have any number.
                guard failures.count < 100 else { continue }
                failures.append(LossyArrayFailure(index: index, reason: Self.reason(of: error, in: array.codingPath)))
            }
        }
    }

    /// The explanation of an error, with its path in the element.
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
