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
/// The properties of the underlying sequence are properties of this one.
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

    /// A property of the underlying sequence that can be set. It applies to the iterators that are made later.
    public subscript<Member>(dynamicMember member: WritableKeyPath<Base, Member>) -> Member {
        get { base[keyPath: member] }
        set { base[keyPath: member] = newValue }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), map: map) }

    /// Returns another sequence with the same errors.
    ///
    /// - Parameter own: returns the app's error for one that already has it.
    package func mapping<Other: AsyncSequence>(
        _ other: Other, except own: (@Sendable (any Error) -> Failure?)? = nil
    ) -> MappedSequence<Other, Failure> {
        guard let own else { return MappedSequence<Other, Failure>(other, map: map) }
        return MappedSequence<Other, Failure>(other) { [map] in own($0) ?? map($0) }
    }

    /// Reads the underlying sequence, and maps its errors. The underlying iterator's properties can be read.
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
