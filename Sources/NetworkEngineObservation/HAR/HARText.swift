package import Foundation
package import NetworkEngine

/// Bytes as stored in a recording: as text if possible, otherwise in Base64.
package struct HARText: Sendable {
    var text: String
    /// `base64`, or `nil`.
    package var encoding: String?

    init(_ data: Data) {
        if let text = String(data: data, encoding: .utf8) {
            self.text = text
        } else {
            text = data.base64EncodedString()
            encoding = "base64"
        }
    }

    package init(text: String, encoding: String?) {
        self.text = text
        self.encoding = encoding
    }

    var data: Data { decoded ?? Data() }

    /// The bytes; `nil` if the text is not in its encoding.
    package var decoded: Data? {
        guard encoding?.lowercased() == "base64" else { return Data(text.utf8) }
        // Some tools break it into lines.
        return Data(base64Encoded: text) ?? Data(base64Encoded: text.filter { !$0.isWhitespace })
    }
}

/// A header, query item or form field in a recording.
package struct HARPair: Codable, Sendable {
    package var name: String
    var value: String

    init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension HTTPHeaders {
    /// The fields in order.
    var recorded: [HARPair] { map { HARPair(name: $0.name, value: $0.value) } }

    /// A recording's fields, without the pseudo-header fields that browsers write for HTTP/2.
    package init(recorded pairs: [HARPair]) {
        self.init(pairs.filter { !$0.name.hasPrefix(":") }.map { Field(name: $0.name, value: $0.value) })
    }
}
