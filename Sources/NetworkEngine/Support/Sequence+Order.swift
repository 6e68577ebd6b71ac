/// Sorting by one text or number of each element.
///
/// The compiler copies the standard library's sort for each type and closure, and each copy takes about four kilobytes.
/// Here one copy for texts and one for numbers are enough.
extension Sequence {
    /// Returns the elements in ascending order of a text. Elements with the same text keep their order.
    func sorted(byText text: (Element) -> String) -> [Element] {
        let elements = Array(self)
        return ascending(elements.map(text)).map { elements[$0] }
    }

    /// Returns the elements in ascending order of a number. Elements with the same number keep their order.
    func sorted(byNumber number: (Element) -> Int) -> [Element] {
        let elements = Array(self)
        return ascending(elements.map(number)).map { elements[$0] }
    }
}

/// Returns the positions of texts in ascending order.
@inline(never) private func ascending(_ texts: [String]) -> [Int] {
    texts.indices.sorted { texts[$0] == texts[$1] ? $0 < $1 : texts[$0] < texts[$1] }
}

/// Returns the positions of numbers in ascending order.
@inline(never) private func ascending(_ numbers: [Int]) -> [Int] {
    numbers.indices.sorted { numbers[$0] == numbers[$1] ? $0 < $1 : numbers[$0] < numbers[$1] }
}
