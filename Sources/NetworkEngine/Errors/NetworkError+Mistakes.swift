// Likely first spellings that do not exist, with messages that show the right one.

extension NetworkError {
    /// The response has the status code.
    @available(*, unavailable, renamed: "statusCode")
    @_alwaysEmitIntoClient
    public var status: Int? { statusCode }

    /// A kind or a status identifies the error.
    @available(*, unavailable, message: "Compare 'error.kind', or 'error.statusCode' for the status of a response.")
    @_alwaysEmitIntoClient
    public var code: Int? { statusCode }

    /// The reason is for developers.
    @available(*, unavailable, message: "'reason' is for developers, and 'localizedDescription' for people.")
    @_alwaysEmitIntoClient
    public var message: String { reason }

    /// A kind identifies the error.
    @available(*, unavailable, message: "Compare the kind: 'error.kind == .cancelled'.")
    @_alwaysEmitIntoClient
    public var isCancelled: Bool { kind == .cancelled }

    /// A kind has no status.
    @available(*, unavailable, message: "Compare 'error.statusCode == 404', or 'error.statusName == .notFound'.")
    @_alwaysEmitIntoClient
    public static func status(_ code: Int) -> NetworkError { NetworkError(kind: .status, reason: "") }
}
