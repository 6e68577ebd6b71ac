import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The right-hand sides of “Coming from an endpoint builder”.
@Suite(.timeLimit(.minutes(5))) struct ComingFromEndpointBuildersTests {
    // sample
    enum Notes: TargetType {
        case search(String), add(String)

        var baseURL: URL { URL(string: "https://example.com")! }
        var path: String { "/path" }
        var method: HTTPMethod { if case .add = self { .post } else { .get } }
        var task: NetworkTask {
            switch self {
            case .search(let text): .requestParameters(parameters: ["key": text], encoding: .automatic)
            case .add(let text): .requestParameters(parameters: ["text": text], encoding: .automatic)
            }
        }
    }
    // end

    @Test func `building without sending`() throws {
        let provider = NetworkProvider<Notes>()
        // sample
        let request = try provider.urlRequest(for: .search("value"))
        // end
        #expect(request.url?.absoluteString == "https://example.com/path?key=value")
        #expect(try provider.urlRequest(for: .add("hi")).httpBody == Data(#"{"text":"hi"}"#.utf8))
    }

    @Test func `sending a built request`() async throws {
        let client = makeClient(MockTransport(.json(#"["note"]"#)))
        let request = URLRequest(url: api)
        // sample
        let notes: [String] = try await client.request(request)
        // end
        #expect(notes == ["note"])
    }

    // sample
    struct Wire: Transport {
        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
            throw URLError(.timedOut)
        }
    }
    // end

    @Test func `a session of one method`() async {
        var configuration = NetworkConfiguration()
        configuration.transport = Wire()
        var shown: URLError.Code?
        func show(_ code: URLError.Code) { shown = code }
        // sample
        do throws(NetworkError) {
            try await NetworkProvider<Notes>(configuration: configuration).request(.search("x"))
        } catch {
            if let cause = error.underlying as? URLError { show(cause.code) }
        }
        // end
        #expect(shown == .timedOut)
    }

    @Test func `the contents of a failure`() async {
        let client = makeClient(MockTransport(.status(503, headers: ["Retry-After": "9"])))
        var shown = ""
        func show(_ words: [String?]) { shown = words.map { $0 ?? "" }.joined(separator: " ") }
        // sample
        do throws(NetworkError) {
            try await client.send(.get("/notes"))
        } catch {
            show([error.statusCode?.description, error.request?.url.path, error.response?.headers["Retry-After"]])
        }
        // end
        #expect(shown == "503 /notes 9")
    }

    @Test func `coders of your own`() async throws {
        nonisolated struct Name: Decodable, Sendable { var firstName: String }
        let mock = MockTransport(.json(#"{"first_name": "Ada"}"#), .json(#"{"first_name": "Ada"}"#))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        // sample
        var configuration = NetworkConfiguration()
        configuration.decoder = decoder  // for all calls
        configuration.transport = mock
        let client = HTTPClient(baseURL: api, configuration: configuration)
        let one: Name = try await client.request(.get("/me"))
        let two: Name = try await client.request(.get("/me"), decoding: .json(decoder))  // for one call
        // end
        #expect(one.firstName == two.firstName)
    }
}
