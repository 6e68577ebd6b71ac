import Foundation

/// What servers say about credentials: RFC 6750 in responses, RFC 6749 at token endpoints.
package enum BearerChallenge {
    /// Whether a response asks for another credential.
    package static func isRejection(_ response: HTTPResponse) -> Bool {
        guard response.statusCode == 401 else { return false }
        let challenge = response.headers.values(for: "WWW-Authenticate").joined(separator: ", ").lowercased()
        guard let error = parameter("error", in: challenge) else { return true }
        return error == "invalid_token"
    }

    /// Whether a failed renewal means that every other one will fail too.
    package static func isSessionOver(_ error: any Error) -> Bool {
        guard let error = error as? NetworkError, error.kind == .status, let response = error.response else {
            return false
        }
        guard [400, 401].contains(response.statusCode) else { return false }
        let code = (try? JSONDecoder().decode(TokenError.self, from: response.data))?.error
        return code == "invalid_grant" || (code == nil && response.statusCode == 401)
    }

    private struct TokenError: Decodable {
        let error: String
    }

    private static func parameter(_ name: String, in challenge: String) -> String? {
        var isQuoted = false
        let parts = challenge.split { character in
            if character == "\"" { isQuoted.toggle() }
            return !isQuoted && (character == "," || character == " ")
        }
        for part in parts {
            let sides = part.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, sides[0] == name else { continue }
            return sides[1].trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        }
        return nil
    }
}
