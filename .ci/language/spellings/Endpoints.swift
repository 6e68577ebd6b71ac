import Foundation
import NetworkEngine

// What a newcomer writes first about endpoints. The comment before a function is the answer of the
// compiler.

struct Draft: Codable, Sendable { var name = "Ada" }
struct User: Codable, Sendable { var name = "Ada" }
let draft = Draft()
let url = URL(fileURLWithPath: "/")
let items: [String: String] = ["page": "2"]

// compiles
func queryOfMixedValues(_ since: Date, _ text: String?) -> Endpoint {
    .get("/users", query: ["page": 2, "ids": [1, 2], "since": since, "q": text, "sort": nil])
}

// says: Add the dictionary to the endpoint: '.get(path).query(parameters)'.
func queryInDictionary() -> Endpoint { .get("/users", query: items) }

// says: Add the dictionary to the endpoint: '.get(path).query(parameters)'.
func queryOfParameters() -> Endpoint {
    let parameters: Parameters = ["page": 2, "sort": "name"]
    return .get("/users", query: parameters)
}

// says: 'get(_:parameters:headers:)' has been renamed to 'get(_:query:)': Parameters of a query have the label 'query:'.
func parameters() -> Endpoint { .get("/users", parameters: ["page": 2]) }

// answers: extra argument 'params' in call
func params() -> Endpoint { .get("/users", params: ["page": 2]) }

// says: 'get(_:queryItems:headers:)' has been renamed to 'get(_:query:)': Parameters of a query have the label 'query:'.
func queryItemsInDictionary() -> Endpoint { .get("/users", queryItems: ["page": "2"]) }

// says: 'Endpoint(path:queryItems:)' takes query items.
func queryItems() -> Endpoint { .get("/users", queryItems: [URLQueryItem(name: "page", value: "2")]) }

// says: 'parameters' has been renamed to 'query(_:)': Write '.query(…)', or '.json(…)' for a body.
func parametersModifier() -> Endpoint { .get("/users").parameters(["page": 2]) }

// compiles
func queryModifierOfLiteral() -> Endpoint { .get("/users").query(["page": 2]) }

// answers: extraneous argument label 'value:' in call
func queryWithValueLabel() -> Endpoint { .get("/users").query("page", value: 2) }

// says: Add the JSON to the endpoint: '.post(path).json(value)'.
func json() -> Endpoint { .post("/users", json: draft) }

// says: Add the body to the endpoint: '.post(path).json(value)' or '.body(bytes)'.
func bodyOfValue() -> Endpoint { .post("/users", body: draft) }

// says: 'body' has been renamed to 'json(_:)': '.body' takes bytes. Encode a value with '.json(value)'.
func bodyModifierOfValue() -> Endpoint { .post("/users").body(draft) }

// says: Add the body to the endpoint: '.post(path).json(value)' or '.body(bytes)'.
func bodyOfData() -> Endpoint { .post("/users", body: Data()) }

// compiles
func bodyModifierOfData() -> Endpoint { .post("/users").body(Data()) }

// says: A dictionary of values of different types is not Encodable. Define a struct.
func jsonModifierOfDictionary() -> Endpoint { .post("/users").json(["name": "Ada", "age": 36]) }

// compiles
func formOfDictionary() -> Endpoint { .post("/login").form(items) }

// says: Add the form to the endpoint: '.post(path).form(fields)'.
func formParameter() -> Endpoint { .post("/login", form: ["user": "Ada"]) }

// says: Add the form to the endpoint: '.post(path).form(fields)'.
func formEndpoint() -> Endpoint { .form("/login", fields: ["user": "Ada"]) }

// says: Add the parts to the endpoint: '.post(path).multipart(parts)'.
func multipartParameter() -> Endpoint { .post("/photo", multipart: [.text("Ada", name: "name")]) }

// says: Write '.get(path, headers: headers)', or add one: '.header(name, value)'.
func headersModifier() -> Endpoint { .get("/users").headers(["A": "1"]) }

// answers: extraneous argument label 'value:' in call
func headerWithValueLabel() -> Endpoint { .get("/users").header("A", value: "1") }

// answers: extra argument 'token' in call
func token() -> Endpoint { .get("/users", token: "t") }

// says: Write '.bearer(token)', or '.header("Authorization", value)'.
func authorizationModifier() -> Endpoint { .get("/users").authorization("Bearer t") }

// says: Add the limit to the endpoint: '.get(path).timeout(.seconds(5))'.
func timeoutParameter() -> Endpoint { .get("/users", timeout: .seconds(5)) }

// says: A number has no unit: write '.timeout(.seconds(5))'.
func timeoutInSeconds() -> Endpoint { .get("/users").timeout(5) }

// says: Pass a path, such as "/users", or the text of a URL: '.get(url.absoluteString)'.
func pathOfURL() -> Endpoint { .get(url) }

// answers: missing argument label 'path:' in call
func endpointWithoutLabel() -> Endpoint { Endpoint("/users") }

// says: Write the method as a function: '.post("/users")'.
func endpointOfMethodAndPath() -> Endpoint { Endpoint(.post, "/users") }

// says: A date has many texts: interpolate one, such as 'date.formatted(.iso8601)'.
func pathOfDate(_ day: Date) -> Endpoint { .get("/days/\(day)") }
