import Testing

/// Records an issue, for a loop that then ends.
func complain(_ words: String, at location: SourceLocation = #_sourceLocation) {
    Issue.record("\(words)", sourceLocation: location)
}
