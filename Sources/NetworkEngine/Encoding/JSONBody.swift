package import Foundation

/// Writes the body of a JSON request.
package enum JSONBody {
    package static let contentType = "application/json"

    /// Encodes a value; what goes wrong is an `.encoding` error that names the place and keeps the cause.
    package static func data(
        encoding value: any Encodable,
        with encoder: JSONEncoder
    ) throws(NetworkError) -> Data {
        do {
            return try encoder.encode(value)
        } catch {
            throw .unencodable(error)
        }
    }
}
