/// What other products add to a configuration: at most one value of each type, in the order in which they were set.
package struct ConfigurationParts: Sendable {
    private var parts: [any Sendable] = []

    /// The value of a type; `nil` removes it.
    package subscript<Part: Sendable>(type: Part.Type) -> Part? {
        get {
            for case let part as Part in parts { return part }
            return nil
        }
        set {
            let index = parts.firstIndex { $0 is Part }
            switch (index, newValue) {
            case (let index?, let part?): parts[index] = part
            case (let index?, nil): parts.remove(at: index)
            case (nil, let part?): parts.append(part)
            case (nil, nil): break
            }
        }
    }

    /// The parts that take part in exchanges.
    package var layers: [any ExchangeLayer] { parts.compactMap { $0 as? any ExchangeLayer } }
}
