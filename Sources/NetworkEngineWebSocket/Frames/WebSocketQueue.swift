import NetworkEngine

/// Elements in order of arrival, with their total size.
package struct WebSocketQueue<Element: Sendable>: Sendable {
    private struct Entry: Sendable {
        let element: Element
        let size: Int
    }

    private var entries: [Entry?] = []
    private var start = 0
    package private(set) var size = 0

    package init() {}

    package var isEmpty: Bool { start == entries.count }

    var elements: [Element] { entries[start...].compactMap { $0?.element } }

    var first: Element? { start < entries.count ? entries[start]?.element : nil }

    package mutating func append(_ element: Element, size: Int) {
        entries.append(Entry(element: element, size: size))
        self.size += size
    }

    /// Inserts an element after the last matching one, or at the front.
    mutating func insert(_ element: Element, size: Int, behind matches: (Element) -> Bool) {
        let last = entries[start...].lastIndex { entry in entry.map { matches($0.element) } ?? false }
        entries.insert(Entry(element: element, size: size), at: last.map { $0 + 1 } ?? start)
        self.size += size
    }

    package mutating func popFirst() -> Element? {
        guard start < entries.count, let entry = entries[start].take() else { return nil }
        start += 1
        size -= entry.size
        if start == entries.count {
            entries.removeAll(keepingCapacity: entries.count < 1 << 10)
            start = 0
        } else if start > 1 << 10, start > entries.count / 2 {
            entries.removeFirst(start)
            start = 0
        }
        return entry.element
    }

    /// Removes the matching elements.
    package mutating func remove(where matches: (Element) -> Bool) {
        entries = entries[start...].filter { entry in entry.map { !matches($0.element) } ?? false }
        start = 0
        size = entries.reduce(0) { $0 + ($1?.size ?? 0) }
    }

    /// Removes and returns all elements.
    mutating func removeAll() -> [Element] {
        defer { (entries, start, size) = ([], 0, 0) }
        return elements
    }
}
