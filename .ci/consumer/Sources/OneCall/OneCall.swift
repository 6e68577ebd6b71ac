import Foundation
import NetworkEngine

/// The smallest program: it prints the response from one address.
@main struct OneCall {
    static func main() async throws {
        guard let url = CommandLine.arguments.dropFirst().first.flatMap({ URL(string: $0) }) else { return }
        print(try await HTTPClient(baseURL: url).string(.get("/")))
    }
}
