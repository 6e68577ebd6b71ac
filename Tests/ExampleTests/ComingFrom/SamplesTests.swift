import Testing

/// Tests that the migration articles show exactly the samples that the tests run.
@Suite(.timeLimit(.minutes(5))) struct SamplesTests {
    private nonisolated static let articles: [(name: String, atLeast: Int)] = [
        ("ComingFromAlamofire", 20), ("ComingFromMoya", 10), ("ComingFromURLSession", 15),
        ("ComingFromGet", 7), ("ComingFromAsyncHTTPClient", 8),
    ]

    @Test(arguments: articles) func `an article shows the samples that are run`(name: String, atLeast: Int) throws {
        let samples = try Samples(of: name)
        #expect(samples.inArticle.count >= atLeast)
        for (shown, run) in zip(samples.inArticle, samples.inTests) { #expect(shown == run) }
        #expect(samples.inArticle.count == samples.inTests.count)
        #expect(samples.unanswered == 0)
    }
}
