/// The fault tables, and the faults that have tests outside the tables.
enum MatrixIndex {
    /// The rows of all tables, which run over every transport.
    static let tables: [FaultCase] = {
        var cases = FramingFaults.lengths + FramingFaults.chunked
        cases += ReplyFaults.lost + ReplyFaults.statuses + ReplyFaults.bodiless
        cases += CodingFaults.cases
        cases += HeaderFaults.sizes + HeaderFaults.broken + HeaderFaults.several
        cases += RequestFaults.headers + RequestFaults.methods + RequestFaults.targets + RequestFaults.hosts
        cases += InterimFaults.ahead + InterimFaults.expectations
        cases += RedirectFaults.chains + RedirectFaults.locations + RedirectFaults.refusals
        cases += RedirectFaults.bodies
        cases += ConnectionFaults.connecting + ConnectionFaults.reusing + ConnectionFaults.shaped
        cases += TimingFaults.cases + AuthenticationFaults.cases
        #if os(Linux)
        cases += SizeFaults.cases.map(\.fault)
        #endif
        return cases
    }()

    /// The other faults with their tests, by the path of the suite's file below `Tests`.
    static let tests: [(suite: String, proofs: KeyValuePairs<String, String>)] = [
        (
            "IntegrationTests/FaultMatrix/ReplyFaults",
            ["no bytes where JSON is expected": "an empty body where JSON is expected fails with an error for that"]
        ),
        (
            "IntegrationTests/FaultMatrix/CodingFaults",
            ["a coding that cannot be decoded": "only codings that can be decoded are requested"]
        ),
        (
            "NetworkEngineTests/Downloads/DownloadEntityTests",
            ["a part of a body": "a partial response is checked before it is used"]
        ),
        ("IntegrationTests/Transfers/ResumeTests", ["a part of a body": "every mismatch restarts the download"]),
        (
            "NetworkEngineTests/Engine/TextDecodingTests",
            ["text that is not UTF-8": "the charset comes from the header, a byte order mark, or is UTF-8"]
        ),
        (
            "NetworkEngineTests/Engine/NastyJSONTests",
            [
                "text that is not UTF-8": "invalid UTF-8 is a decoding error or read with replacement characters",
                "text that is not UTF-8": "JSON with a byte order mark or in UTF-16 is decoded",
                "unusual and damaged JSON": "an unusual legal document is decoded, or has a number out of range",
                "unusual and damaged JSON": "a duplicate name decodes to one of its values",
                "unusual and damaged JSON": "invalid JSON is a decoding error",
                "unusual and damaged JSON": "a document of any depth is decoded or refused without a crash",
                "unusual and damaged JSON": "a surplus bracket at the end crashes the platform's decoder",
                "unusual and damaged JSON": "a surplus bracket at the end is a decoding error in the framework",
                "unusual and damaged JSON": "a string of 50 MB is decoded completely",
                "unusual and damaged JSON": "every document is a value or a decoding error, without a crash",
            ]
        ),
        (
            "NetworkEngineTests/Client/DomainErrors/ProblemDetailsTests",
            [
                "problem details with missing or wrong members":
                    "a missing member or one of a wrong type counts as absent"
            ]
        ),
        (
            "NetworkEngineTests/HTTP/HTTPHeadersTests",
            ["several headers with one name": "adding keeps existing values, in order"]
        ),
        (
            "NetworkEngineTests/Errors/HTTPRequestValidationTests",
            [
                "a line break in a header value":
                    "a header value with a line break or another control character is refused and not shown",
                "an illegal header name": "an invalid header name is refused by name",
                "an illegal method": "an invalid method is refused by name",
            ]
        ),
        (
            "NetworkEngineTests/Encoding/URLJoiningTests",
            ["escapes in an address": "existing escapes stay, and illegal characters are escaped once"]
        ),
        (
            "NetworkEngineTests/Encoding/MultipartEncoderTests",
            [
                "names in a multipart form": "the name of a field is escaped as in browsers",
                "names in a multipart form": "the name of a file is escaped, with its line breaks",
                "boundaries and parts of a multipart form": "a boundary that occurs in the content is not used",
                "boundaries and parts of a multipart form": "a form without parts is refused",
            ]
        ),
        (
            "IntegrationTests/FaultMatrix/MultipartFaults",
            ["any names and bytes in a multipart form": "an independent parser finds every part, name and byte"]
        ),
        (
            "IntegrationTests/Transfers/MultipartParserTests",
            ["boundaries and parts of a multipart form": "an independent parser reads data, file and stream parts"]
        ),
        (
            "NetworkEngineTests/Encoding/QueryEncoderTests",
            ["reserved characters in a query": "everything but letters, digits and -._~ is escaped"]
        ),
        (
            "IntegrationTests/FaultMatrix/RedirectMethodFaults",
            [
                "the method and the body after a redirect": "method and body follow the redirect's status",
                "secrets in a redirected request":
                    "secrets stay at their origin and are not sent again on the way back",
                "the deadline and cancellation during redirects": "the deadline covers all redirects",
                "the deadline and cancellation during redirects":
                    "a call that is canceled between two redirects follows no more",
            ]
        ),
        (
            "NetworkEngineTests/Engine/RedirectTests",
            [
                "the method and the body after a redirect": "the status of a redirect decides about method and body",
                "a redirect from https to http": "https leads to http only when allowed, http to https always",
            ]
        ),
        (
            "IntegrationTests/FaultMatrix/RedirectFaults",
            ["a redirect whose body does not end": "the connection of a redirect with an endless body is closed"]
        ),
        (
            "IntegrationTests/FaultMatrix/TimingFaults",
            ["a host that does not answer": "a request to a silent host ends in time"]
        ),
        (
            "IntegrationTests/FaultMatrix/StallFaults",
            ["a response that stalls": "a stalled exchange ends at its timeout, also at fractions of a second"]
        ),
        (
            "IntegrationTests/FaultMatrix/ConnectionFaults",
            [
                "more requests than connections":
                    "a hundred concurrent requests to one host all finish within their timeouts"
            ]
        ),
        (
            "IntegrationTests/Transports/TransportAdmissionTests",
            ["more requests than connections": "a refresh runs while all permits are taken, then priorities count"]
        ),
        (
            "IntegrationTests/FaultMatrix/ClockFaults",
            [
                "a wall clock that jumps": "a wall clock that jumps moves no timer",
                "a process that is suspended": "a suspended process fires each overdue timer once when it resumes",
            ]
        ),
        (
            "IntegrationTests/URLSession/TLSTests",
            [
                "a certificate that is not trusted": "an untrusted certificate is not accepted",
                "a certificate that is not trusted": "with a known authority the rest of the certificate is checked",
                "a TLS handshake that fails": "plain HTTP to a TLS port gets no response",
                "a TLS handshake that fails": "a connection that is lost in the handshake is a failure",
            ]
        ),
        (
            "NetworkEngineCurlTests/TLS/CurlTLSTests",
            [
                "pinned keys and client certificates": "a pinned key is accepted and another is refused",
                "pinned keys and client certificates": "a rotated pin accepts the old and the new key",
                "pinned keys and client certificates":
                    "a client certificate is sent on request, and its absence is reported",
            ]
        ),
        (
            "NetworkEngineTests/Interceptors/RetryPolicy/RetryPolicyTests",
            [
                "a retry budget that is refilled": "the budget that successes return can be spent again",
                "cancellation during a delay": "a call that is canceled during a delay ends at once",
                "an exhausted retry budget": "an exhausted budget ends the call at once with the original error",
            ]
        ),
        (
            "NetworkEngineTests/Interceptors/RetryPolicy/RetryPlanTests",
            [
                "which requests are retried": "the plan decides for every method and status",
                "a delay beyond the deadline": "a delay beyond the remaining time ends the call at once",
            ]
        ),
        (
            "NetworkEngineTests/Interceptors/RetryPolicy/BackoffTests",
            [
                "the jitter of a backoff": "full jitter is uniform",
                "the jitter of a backoff": "no number of retries overflows",
            ]
        ),
        (
            "NetworkEngineTests/Interceptors/RetryPolicy/RetryAfterTests",
            [
                "the forms of Retry-After":
                    "a Retry-After date in each of three forms is relative to the response's Date",
                "the forms of Retry-After": "a Retry-After that is neither seconds nor a date is ignored",
            ]
        ),
        (
            "NetworkEngineTests/Interceptors/RetryPolicy/RetryBudgetTests",
            ["an exhausted retry budget": "in any order of retries and successes a budget stays within its bounds"]
        ),
        (
            "NetworkEngineTests/Interceptors/IdempotencyKeyTests",
            ["idempotency keys": "all attempts of a call have the same key, and another call has another"]
        ),
        (
            "IntegrationTests/Resilience/RefreshStormTests",
            [
                "many calls with an expired credential":
                    "any number of calls with a stale token share one refresh, and all succeed",
                "cancellation during a refresh":
                    "when half of the calls are canceled, the refresh completes and the others succeed",
                "cancellation during a refresh": "when all calls are canceled, the refreshed credential is stored",
                "a refresh while all connections are in use":
                    "calls and their refresh do not deadlock with few permits",
            ]
        ),
        (
            "NetworkEngineTests/Interceptors/TokenRefresher/RefreshStateMachineTests",
            [
                "a late rejection of an old credential":
                    "a late rejection of an old credential only repeats the request",
                "a credential that expires soon": "a refreshed credential that is already expired is an error",
                "a credential that expires soon": "in the mandatory window all requests wait and share the failure",
            ]
        ),
        (
            "NetworkEngineTests/Interceptors/TokenRefresher/TokenRefresherTests",
            [
                "a refresh that fails":
                    "all waiting calls get the same error, and the next call starts another refresh",
                "a refresh that hangs": "a refresh that hangs ends at its timeout, and the next call starts another",
                "a credential that is rejected again": "a second rejection reaches the caller",
                "a credential that is rejected again":
                    "a server that rejects everything gets a limited number of refreshes",
                "a sign-out or another process during a refresh":
                    "a refresh that ends after a sign-out signs no user in",
                "a refresh closure that blocks":
                    "a refresh closure that blocks, or that calls the refresher, does not deadlock",
            ]
        ),
        (
            "NetworkEngineTests/Interceptors/TokenRefresher/SharedStoreTests",
            [
                "errors that end the session": "only an error that says the grant is invalid ends the session",
                "a sign-out or another process during a refresh":
                    "two concurrent refreshes end with the same credential",
            ]
        ),
        (
            "NetworkEngineTests/Engine/AttemptLoopTests",
            ["the number of attempts": "the engine alone counts attempts, also if interceptors ask for more"]
        ),
        (
            "IntegrationTests/Cancellation/StormTests",
            [
                "cancellation at any moment":
                    "a call that is canceled at any moment calls back once and leaves nothing behind"
            ]
        ),
        (
            "IntegrationTests/FaultMatrix/LifecycleFaults",
            [
                "a shutdown during requests":
                    "shutting down a transport with a hundred requests fails each of them once",
                "calls from inside a callback": "a callback can start another call and cancel its own",
            ]
        ),
        (
            "IntegrationTests/Cancellation/CallbackContractTests",
            ["calls from inside a callback": "a callback can cancel, start and wait for requests"]
        ),
        (
            "IntegrationTests/FaultMatrix/BothWaysFaults",
            [
                "a body that is written while the response is read":
                    "a call ends once at every point, and its writer learns it",
                "a body that is written while the response is read":
                    "a body that is written meanwhile is sent once, whatever the server answers",
                "a body that is written while the response is read":
                    "a server that ends only its own direction ends the response, and the writer learns it",
            ]
        ),
        (
            "NetworkEngineCurlTests/Transport/CurlTrailerTests",
            [
                "fields after a body": "a body that is cut off has no fields",
                "fields after a body": "silence inside the fields ends a call at its timeout",
                "fields after a body": "fields that are too large end the exchange",
                "fields after a body": "a field that frames a body means nothing after it",
                "fields after a body": "malformed fields after a body neither change it nor the next response",
            ]
        ),
        (
            "NetworkEngineCurlTests/Transport/CurlHostileServerTests",
            [
                "a body that decodes to much or nothing":
                    "a body that decodes to nothing delays no other request and can be canceled"
            ]
        ),
        (
            "NetworkEngineCurlTests/Transport/CurlResolverTests",
            [
                "a resolver of the app that is slow, wrong or fails":
                    "an answer that is no address fails the request before any I/O",
                "a resolver of the app that is slow, wrong or fails":
                    "an error of the resolver is the cause of the failure",
                "a resolver of the app that is slow, wrong or fails":
                    "a resolver that hangs ends with the connect timeout",
            ]
        ),
        (
            "NetworkEngineCurlTests/Transport/CurlHTTP3Tests",
            [
                "connections and streams of HTTP/3":
                    "a stream that is reset fails its exchange, and the next one succeeds",
                "connections and streams of HTTP/3":
                    "a request that the server has refused is sent again, whatever its method",
                "connections and streams of HTTP/3":
                    "HTTP/3 is refused before I/O where libcurl does not have it",
            ]
        ),
        (
            "NetworkEngineTests/Engine/RedirectDecisionTests",
            [
                "a closure that decides about redirects":
                    "a decision cannot carry the first request to another origin",
                "a closure that decides about redirects": "a change that breaks a rule is an error",
            ]
        ),
        (
            "NetworkEngineWebSocketTests/WebSocketFaultTests",
            [
                "a WebSocket whose other end breaks the protocol":
                    "messages before a fault are delivered, and nothing after it is read",
                "a WebSocket whose other end breaks the protocol": "calls that wait at a fault fail with its error",
            ]
        ),
        (
            "NetworkEngineWebSocketTests/ReconnectingLossTests",
            [
                "a WebSocket whose other end dies":
                    "a call whose message may be lost throws if messages are refused"
            ]
        ),
        (
            "IntegrationTests/WebSockets/DyingServerTests",
            [
                "a WebSocket whose other end dies":
                    "no message is lost or comes twice when the server dies at every byte"
            ]
        ),
        (
            "NetworkEngineGraphQLSocketTests/SocketConnectionTests",
            [
                "subscriptions over a connection that is lost or hostile":
                    "a lost connection is opened again, and the server gets all subscriptions again",
                "subscriptions over a connection that is lost or hostile":
                    "a server that does not acknowledge in time is tried again, and then the subscription fails",
                "subscriptions over a connection that is lost or hostile":
                    "a reader that falls behind too far fails, and the other subscriptions continue",
            ]
        ),
        (
            "NetworkEngineUploadsTests/UploadFailureTests",
            [
                "an upload that is resumed": "a server that forgets ends the upload, and the next call begins another",
                "an upload that is resumed": "an offset that goes backwards is an error",
                "an upload that is resumed": "an offset that cannot be is an error, and no byte is sent",
                "an upload that is resumed": "a file that was changed is not continued",
                "an upload that is resumed": "a file that is written while it is sent completes no upload",
            ]
        ),
    ]

    /// The faults without a test, with the reason.
    static let untested = [
        "the `Host` header for a default port and for a name with a trailing dot: needs privileges and a resolver",
        "a 417 without `Expect` in the request: it is an ordinary response, and the request is not repeated",
        "the `Retry-After` header of a redirect: it is ignored",
        "a response in chunks that is whole when the server closes a connection without having said so, while the request"
            + " is written: libcurl does not tell it from one that is cut off, so it may count as lost",
        "a TLS connection that ends without close_notify",
        "the other retry vectors of the AWS SDKs and CUBIC: rates do not adapt here",
        "a stream that breaks off after its head: retriers do not see its end",
        "the body of a 503 before a retry: it is read up to the limit of bodies in memory",
    ]
}
