/// Makes calls on behalf of the interceptors of another one, on the same engine.
package protocol RefreshExecutor: AnyObject, Sendable {
    /// Sends a request that renews a credential: marked, so that nobody waits for that credential with it.
    func refreshResponse(to request: HTTPRequest) async throws(NetworkError) -> HTTPResponse

    /// Calls a target that renews a credential, and decodes what comes.
    func refreshValue<Value: Decodable & Sendable>(
        of target: any TargetType,
        as type: Value.Type
    ) async throws(NetworkError) -> Value
}
