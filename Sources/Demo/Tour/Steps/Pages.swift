import NetworkEngine
import NetworkEngineStreams

extension Step {
    static let pages = Step("pages", "Reads a list page by page.") { stage in
        let configuration = stage.configuration
        // sample
        let provider = NetworkProvider<ServiceAPI>(configuration: configuration)
        let pages = provider.pages(
            of: UserPage.self, from: .users, by: .cursor("after", \.next))
        var counts: [Int] = []
        for try await page in pages { counts.append(page.users.count) }
        // end
        let sum = counts.map(String.init).joined(separator: " + ")
        return ["\(counts.count) pages with \(sum) = \(counts.reduce(0, +)) users."]
    }
}
