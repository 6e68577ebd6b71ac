/// Marks what runs inside an attempt that somebody retries.
package enum RetryLayer {
    /// Whether a policy further out retries what happens here. Retrying on several layers multiplies: three of them turn
    /// one failure into 27 requests.
    @TaskLocal package static var isInside = false
}
