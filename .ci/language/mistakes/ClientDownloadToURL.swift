// Error: cannot convert value of type 'URL' to expected argument type 'DownloadDestination'
import Foundation
import NetworkEngine

struct User: Codable, Sendable { var name = "Ada" }

func load(_ client: HTTPClient) async throws {
    let file = try await client.download(.get("/report"), to: URL(fileURLWithPath: "/tmp/report.pdf"))
    print(file.path)
}
