import Foundation

extension ParameterValue {
    /// The value with sorted members or elements, for an order that is the same in every run.
    ///
    /// - Parameter size: the number of elements to keep together: two in a list of keys and values.
    func sorted(inGroupsOf size: Int = 1) -> ParameterValue {
        switch self {
        case .object(let members): return .object(members.sorted(byText: { $0.name }))
        case .array(let elements):
            let groups = stride(from: 0, to: elements.count, by: size).map { start in
                let group = elements.dropFirst(start).prefix(size)
                return (elements: group, text: group.map(\.sortingText).joined(separator: "\0"))
            }
            let sorted = groups.sorted(byText: { $0.text })
            return .array(sorted.flatMap(\.elements))
        default: return self
        }
    }

    /// A text that is the same for equal content.
    var sortingText: String {
        switch self {
        case .array(let elements): "[\(elements.map(\.sortingText).joined(separator: ", "))]"
        case .object(let members):
            "{\(members.map { $0.name.debugDescription + ": " + $0.value.sortingText }.joined(separator: ", "))}"
        // Descriptions may omit parts of the value.
        case .data(let data): "data(\(data.base64EncodedString()))"
        case .date(let date): "date(\(date), \(date.timeIntervalSince1970))"
        case .encodable(let value):
            (try? ParameterValueEncoder.read(value, at: ""))?.sortingText ?? String(describing: value)
        default: "\(self)"
        }
    }
}
