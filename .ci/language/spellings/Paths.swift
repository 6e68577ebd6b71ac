import Foundation
import NetworkEngine

// What a newcomer interpolates into a path. The comment before a function is the answer of the compiler.

enum Kind: String { case daily }
struct UserID: RawRepresentable, Sendable { var rawValue: UUID }
struct Opaque: CustomStringConvertible { var description: String { "opaque" } }

// compiles
func textAndNumbers(_ name: String, _ id: Int64, _ uuid: UUID) -> Endpoint {
    .get("/\(name)/\(id)/\(uuid)/\(1.5)/\(true)")
}

// compiles
func rawValues(_ kind: Kind, _ id: UserID) -> EndpointPath { "/\(kind)/\(id)" }

// says: An optional can have no text: unwrap it before it is part of a path.
func optional(_ id: Int?) -> Endpoint { .get("/users/\(id)") }

// says: A date has many texts: interpolate one, such as 'date.formatted(.iso8601)'.
func dateInPath(_ day: Date) -> EndpointPath { "/days/\(day)" }

// says: A date has many texts: interpolate one, such as 'date.formatted(.iso8601)'.
func dateInQueryOfPath(_ day: Date) -> Endpoint { .get("/days?since=\(day)") }

// says: An array is not a segment: interpolate a text, such as 'tags.joined(separator:)'.
func array(_ ids: [Int]) -> Endpoint { .get("/users/\(ids)") }

// says: A set is not one segment, and has no order: interpolate a text.
func set(_ ids: Set<Int>) -> Endpoint { .get("/users/\(ids)") }

// says: Data has no text: interpolate one, such as 'data.base64EncodedString()'.
func data(_ data: Data) -> Endpoint { Endpoint(path: "/files/\(data)") }

// says: A URL is not a segment: interpolate a part of it, or its text with '\(raw: url.absoluteString)'.
func url(_ url: URL) -> Endpoint { .get("\(url)/users") }

// says: A path needs one text: interpolate a string, number, UUID, raw value or LosslessStringConvertible.
func description(_ value: Opaque) -> Endpoint { .post("/values/\(value)") }

// says: A decimal can have several texts: interpolate one, such as 'price.description'.
func decimal(_ value: Decimal, _ base: URL) -> AnyTarget { AnyTarget(baseURL: base, path: "/values/\(value)") }

// says: A path needs one text: interpolate a string, number, UUID, raw value or LosslessStringConvertible.
func type() -> Endpoint { .get("/\(Kind.self)") }
