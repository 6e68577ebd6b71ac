import Foundation

extension HTTPRequest {
    /// Throws `.invalidRequest`, with a reason that names the field, for whatever may not go on the wire.
    ///
    /// The platform does not do this: on Linux a line break in a method or header name is sent as it is and smuggles a
    /// second request, and a header with one in its value is dropped in silence (`linux.md` L8).
    package func validate() throws(NetworkError) {
        if let reason = methodFault ?? url.addressFault ?? headers.fault {
            throw NetworkError(kind: .invalidRequest, reason: reason, request: self)
        }
        if let timeout, timeout <= .zero {
            throw NetworkError(kind: .invalidRequest, reason: "timeout \(timeout) is not above zero", request: self)
        }
    }

    private var methodFault: String? {
        method.rawValue.isToken ? nil : "method \(method.rawValue.debugDescription) is not a token"
    }
}

extension HTTPHeaders {
    /// The first rule that a field breaks, with its name.
    package var fault: String? {
        for field in self {
            guard field.name.isToken else { return "header name \(field.name.debugDescription) is not a token" }
            if !field.value.isFieldValue {
                return "the value of header \(field.name) has a control character in it"
            }
            if let owner = Self.ownedHeaders.first(where: { $0.equalsIgnoringASCIICase(field.name) }) {
                return "header \(owner) belongs to the transport and cannot be set by hand"
            }
        }
        return nil
    }

    private static let ownedHeaders = ["Content-Length", "Transfer-Encoding", "Connection"]
}

extension String {
    /// Whether this is an HTTP token: at least one character, none of them a separator or control character.
    package var isToken: Bool {
        let legal = ASCIISet.token
        return !utf8.isEmpty && utf8.allSatisfy { legal.contains($0) }
    }
}
