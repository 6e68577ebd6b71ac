package import Foundation

/// The options of one call besides its request.
package struct CallOptions: Sendable {
    package var target: (any TargetType)?
    /// The base that the request was made from; `nil` for the target's own.
    package var base: URL?
    /// The headers that the configuration added to the request.
    package var commonHeaders = HTTPHeaders()
    package var validation: ResponseValidation
    /// The files of the call, if its body is saved to a file.
    package var files: DownloadSession?
    /// The storage that interceptors already use; `nil` for a new call.
    package var storage: CallStorage?
    /// Whether the call refreshes a credential that other calls wait for.
    package var isRefresh = false
    /// Whether the response is returned as soon as its head arrives.
    package var streams = false
    /// The protocol that the call asks for in place of HTTP.
    package var upgrade: (any UpgradeOffer)?
    /// The time that the reader of a streamed body waits for bytes.
    package var streamTimeout = StreamTimeout.standard
    package var progress: (@Sendable (TransferProgress) -> Void)?
    /// The direction that `progress` reports; both by default.
    package var progressDirection: TransferProgress.Direction?

    /// The owner of the call's events, if other code than the engine ends the call.
    package var observedCall: ObservedCall?
    /// Posts the events of the call; `nil` without observers.
    package var observation: CallObservation?

    package init(target: (any TargetType)? = nil) {
        self.target = target
        validation = target?.validation ?? .success
    }

    /// Returns the request of a target, and keeps the base that it is made from.
    package mutating func request(
        for target: some TargetType,
        _ use: RequestBuilder.Use,
        by builder: RequestBuilder
    ) throws(NetworkError) -> HTTPRequest {
        try builder.request(for: target, below: resolvedBase(of: target, by: builder.rules), use: use)
    }

    /// Returns the base for a target, and keeps it for the rest of the call.
    package mutating func resolvedBase(of target: any TargetType, by rules: RequestRules) throws(NetworkError) -> URL {
        if let base { return base }
        let base = try rules.base(of: target)
        self.base = base
        return base
    }
}
