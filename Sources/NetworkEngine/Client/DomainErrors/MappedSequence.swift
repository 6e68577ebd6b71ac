/// A stream, events or values that arrive over time, with the app's errors.
///
/// ```swift
/// var prices = shop.events(.prices, as: Price.self)            // of a provider with mapped errors
/// prices.events.idleTimeout = .seconds(30)
/// do {
///     for try await price in prices { show(price) }
/// } catch .offline {
///     showOfflineBadge()
/// }
/// ```
/// It also has the properties of the underlying sequence.
@dynamicMemberLookup
public struct MappedSequence<Base: AsyncSequence, Failure: Error>: AsyncSequence {
    public typealias Element = Base.Element

    /// The underlying sequence.
    public var base: Base
    private let map: @Sendable (any Error) -> Failure

    package init(_ base: Base, map: @escaping @Sendable (any Error) -> Failure) {
        self.base = base
        self.map = map
    }

    /// A property of the underlying sequence.
    public subscript<Member>(dynamicMember member: KeyPath<Base, Member>) -> Member { base[keyPath: member] }

    /// A settable property of the underlying sequence. A change applies to iterators that are created later.
    public subscript<Member>(dynamicMember member: WritableKeyPath<Base, Member>) -> Member {
        get { base[keyPath: member] }
        set { base[keyPath: member] = newValue }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), map: map) }

    /// Returns another sequence with the same errors.
    ///
    /// - Parameter own: returns the app's error for an error that is already mapped.
    package func mapping<Other: AsyncSequence>(
        _ other: Other, except own: (@Sendable (any Error) -> Failure?)? = nil
    ) -> MappedSequence<Other, Failure> {
        guard let own else { return MappedSequence<Other, Failure>(other, map: map) }
        return MappedSequence<Other, Failure>(other) { [map] in own($0) ?? map($0) }
    }

    /// Reads the underlying sequence and maps its errors. You can read the underlying iterator's properties.
    @dynamicMemberLookup
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: Base.AsyncIterator
        fileprivate let map: @Sendable (any Error) -> Failure

        /// A property of the underlying iterator.
        public subscript<Member>(dynamicMember member: KeyPath<Base.AsyncIterator, Member>) -> Member {
            base[keyPath: member]
        }

        /// Returns the next element; `nil` after the last one.
        @concurrent
        public mutating func next() async throws(Failure) -> Element? {
            do {
                return try await base.next()
            } catch {
                throw map(error)
            }
        }
    }
}

extension MappedSequence: Sendable where Base: Sendable {}
extension MappedSequence.Iterator: Sendable where Base.AsyncIterator: Sendable {}
