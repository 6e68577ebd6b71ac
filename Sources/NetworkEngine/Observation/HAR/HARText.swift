package import Foundation

/// Bytes as a recording has them: text where they are text, else Base64.
package struct HARText: Sendable {
    package var text: String
    /// `base64`, or nothing.
    package var encoding: String?

    package init(_ data: Data) {
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

    package var data: Data {
        guard encoding == "base64" else { return Data(text.utf8) }
        return Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data()
    }
}
