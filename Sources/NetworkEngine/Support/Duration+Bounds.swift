extension Duration {
    /// The duration, or a hundred years where it is longer, forward or back.
    ///
    /// Clocks and multiplications end the process on durations near the largest. Every duration that a caller sets is
    /// bounded before it is calculated with.
    package var bounded: Duration { min(max(self, .zero - .longest), .longest) }

    private static let longest = Duration.seconds(100 * 366 * 86_400)
}
