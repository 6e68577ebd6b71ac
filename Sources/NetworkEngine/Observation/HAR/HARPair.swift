/// A header, query item or form field of a recording.
package struct HARPair: Codable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension HTTPHeaders {
    /// Each field in its order.
    package var recorded: [HARPair] { map { HARPair(name: $0.name, value: $0.value) } }

    /// The fields of a recording, without the pseudo-fields that browsers write for HTTP/2.
    package init(recorded pairs: [HARPair]) {
        self.init(pairs.filter { !$0.name.hasPrefix(":") }.map { Field(name: $0.name, value: $0.value) })
    }
}
