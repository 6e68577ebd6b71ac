extension HTTPRequest {
    /// The request that a cURL command makes, as people paste it from documentation and browsers.
    ///
    /// ```swift
    /// let request = try HTTPRequest(curl: #"curl -X POST https://api.test/users -H 'Accept: */*' --json '{"name": "Ada"}'"#)
    /// ```
    /// Quotes, `$'…'` and lines ended by `\` are read as a shell reads them. Options that say how cURL works or what it
    /// prints are passed over. One that changes what is sent and is not known here (`-k`, `-x`, client certificates) is thrown
    /// as `.unsupported`; what only a shell can carry out (pipes, variables) as `.invalidRequest`. What the transport writes
    /// itself, such as `Content-Length`, is left out.
    public init(curl command: String) throws(NetworkError) {
        self = try CURLCommand(ShellWords.split(command)).request()
        try validate()
    }
}
