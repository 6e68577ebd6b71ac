extension NetworkProvider {
    /// Throws an error of kind `.unsupported` for what would make calls fail or go wrong: interceptors that do not go
    /// together, a transport that cannot be had.
    public func validate() throws(NetworkError) {
        try engine.interceptors.validate()
        try engine.configuration.transport.validate()
    }
}
