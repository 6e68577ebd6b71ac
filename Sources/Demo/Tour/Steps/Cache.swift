import NetworkEngine
import NetworkEngineCache

extension Step {
    static let cache = Step("cache", "Requests an article and a price, twice each, with a cache.") { stage in
        var configuration = stage.configuration
        // sample
        configuration.cache = ResponseCache()
        let provider = NetworkProvider<ServiceAPI>(configuration: configuration)
        var sources: [HTTPResponse.Source] = []
        for target in [ServiceAPI.article, .article, .price, .price] {
            sources.append(try await provider.send(target).source)
        }
        // end
        let expected: [HTTPResponse.Source] = [.network, .cache, .network, .revalidated]
        try TourFailure.check(sources == expected, "The responses come from \(sources).")
        let words = sources.map { "\($0)" }
        return [
            "The article is fresh for a minute: \(words.prefix(2).joined(separator: ", ")).",
            "The price must be checked: \(words.suffix(2).joined(separator: ", ")).",
        ]
    }
}
