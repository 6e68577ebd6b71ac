import Testing

/// Records what is wrong; for the middle of a loop that a test leaves then.
func complain(_ words: String, at location: SourceLocation = #_sourceLocation) {
    Issue.record("\(words)", sourceLocation: location)
}
