import Foundation

/// The ports of a `TLSFront`, which may run in the parent process.
struct TLSPorts: Sendable {
    /// The special behavior of a port.
    enum Port: String, CaseIterable, Sendable {
        /// Its certificate is for `localhost` and `127.0.0.1`, signed by the front's authority.
        case good
        case selfSigned, expired, notYetValid, wrongHost
        /// Asks the client for a certificate by the same authority.
        case clientRequired
        /// Supports TLS up to 1.2.
        case oldVersion
        /// Supports only TLS 1.1.
        case ancientVersion
        /// Answers a request with a record that cannot be decrypted.
        case brokenBeforeHead
        /// Sends a head and the beginning of a body, and then a record that cannot be decrypted.
        case brokenInBody
    }

    struct NotServed: Error { let port: Port }

    private let numbers: [Port: UInt16]

    /// Reads lines with a name and a number, and passes over others.
    init(_ text: String) {
        var numbers: [Port: UInt16] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, let port = Port(rawValue: String(words[0])) { numbers[port] = UInt16(words[1]) }
        }
        self.numbers = numbers
    }

    /// The lines that these can be read from.
    var text: String { numbers.map { "\($0.key.rawValue) \($0.value)\n" }.joined() }

    /// The address of a port.
    func url(_ port: Port, scheme: String = "https", host: String = "localhost") throws -> URL {
        guard let number = numbers[port], let url = URL(string: "\(scheme)://\(host):\(number)/") else {
            throw NotServed(port: port)
        }
        return url
    }
}
