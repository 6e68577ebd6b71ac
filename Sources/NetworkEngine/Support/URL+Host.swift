package import Foundation

extension URL {
    /// Whether there is a host, and none of its characters, escaped or not, could end it or be none of a name.
    package var hasUsableHost: Bool {
        guard let host, !host.isEmpty else { return false }
        return host.utf8.allSatisfy { byte in
            switch byte {
            case 0...0x20, 0x7F: false
            case 0x22, 0x23, 0x25, 0x2F, 0x3C, 0x3E, 0x3F, 0x40, 0x5C, 0x5E, 0x60, 0x7B...0x7D: false
            default: true
            }
        }
    }
}
