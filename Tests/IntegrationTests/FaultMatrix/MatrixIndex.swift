/// The proof of each of the 128 fault cases, or the reason that it has none yet.
enum MatrixIndex {
    enum Place: Sendable {
        /// A row of a table that runs over every transport.
        case table
        /// A test with a name that begins like this, in a file under `Tests`.
        case test(String, String)
        case later(String)
    }

    struct Entry: Sendable {
        let numbers: [Int]
        let place: Place

        init(_ numbers: Int..., at place: Place) { (self.numbers, self.place) = (numbers, place) }
        init(_ numbers: ClosedRange<Int>, at place: Place) { (self.numbers, self.place) = (Array(numbers), place) }
    }

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

    private static func matrix(_ file: String, _ claim: String) -> Place {
        .test("IntegrationTests/FaultMatrix/" + file, claim)
    }
    private static func tls(_ claim: String) -> Place { .test("IntegrationTests/URLSession/TLSTests", claim) }

    private static func curl(_ claim: String) -> Place { .test("NetworkEngineCurlTests/TLS/CurlTLSTests", claim) }

    private static func storm(_ claim: String) -> Place {
        .test("IntegrationTests/Resilience/RefreshStormTests", claim)
    }

    private static func retry(_ file: String, _ claim: String) -> Place {
        unit("Interceptors/RetryPolicy/" + file, claim)
    }

    private static func refresh(_ file: String, _ claim: String) -> Place {
        unit("Interceptors/TokenRefresher/" + file, claim)
    }

    private static func unit(_ file: String, _ claim: String) -> Place { .test("NetworkEngineTests/" + file, claim) }

    static let entries = bodies + heads + redirects + connections + retries + credentials + above

    private static let bodies = [
        Entry(1...26, at: .table),
        Entry(27, at: matrix("ReplyFaults", "27: no bytes")),
        Entry(28...32, at: .table),
        Entry(33, at: matrix("CodingFaults", "33: no coding")),
        Entry(33, 34, at: .table),
        Entry(34, at: unit("Target/DownloadEntityTests", "an answer is what it says, or of no use")),
        Entry(34, at: .test("IntegrationTests/Transfers/ResumeTests", "every mismatch begins anew")),
        Entry(35, at: unit("Engine/TextDecodingTests", "the charset is named, marked, or UTF-8")),
        Entry(35, at: unit("Engine/NastyJSONTests", "35: ")),
        Entry(36, at: unit("Engine/NastyJSONTests", "36: ")),
        Entry(
            37,
            at: unit("Client/DomainErrors/ProblemDetailsTests", "what is missing, or not of its type, counts as absent")
        ),
    ]

    private static let heads = [
        Entry(38...50, at: .table),
        Entry(46, at: unit("HTTP/HTTPHeadersTests", "adding keeps what is there, in order")),
        Entry(47, at: unit("Errors/HTTPRequestValidationTests", "L8: a header value with a line break")),
        Entry(48, at: unit("Errors/HTTPRequestValidationTests", "L8: a header name that is no token")),
        Entry(49, at: unit("Errors/HTTPRequestValidationTests", "L8: a method that is no token")),
        Entry(50, at: unit("Encoding/URLJoiningTests", "promise 5: what is escaped stays, and what is illegal")),
        Entry(51, at: unit("Encoding/MultipartEncoderTests", "a field's name is escaped as browsers do")),
        Entry(51, at: unit("Encoding/MultipartEncoderTests", "a file's name is escaped")),
        Entry(51, 52, at: matrix("MultipartFaults", "51-52: ")),
        Entry(52, at: unit("Encoding/MultipartEncoderTests", "a boundary that occurs in the content is not taken")),
        Entry(52, at: unit("Encoding/MultipartEncoderTests", "no parts at all are refused")),
        Entry(52, at: .test("IntegrationTests/Transfers/MultipartParserTests", "data, file and stream")),
        Entry(53, at: unit("Encoding/QueryEncoderTests", "promise 5: everything but letters, digits")),
        Entry(54, 55, at: .table),
        Entry(
            55,
            at: .later("the Host of a usual port and of a name with a dot at its end need privileges and a resolver")),
        Entry(56...60, at: .table),
        Entry(61, at: .later("a 417 is a response: nobody repeats the request without Expect")),
        Entry(62, 63, at: .table),
    ]

    private static let redirects = [
        Entry(64...71, at: matrix("RedirectMethodFaults", "64-71: ")),
        Entry(64...71, at: unit("Engine/RedirectTests", "64-71: ")),
        Entry(72...76, at: .table),
        Entry(77, at: unit("Engine/RedirectTests", "77: ")),
        Entry(78, 79, at: matrix("RedirectMethodFaults", "78-79, ")),
        Entry(80...82, at: .table),
        Entry(82, at: matrix("RedirectFaults", "82: the connection")),
        Entry(82, at: .later("the Retry-After of a redirect is looked at by nobody")),
        Entry(83, at: matrix("RedirectMethodFaults", "83: the deadline")),
        Entry(83, at: matrix("RedirectMethodFaults", "83: a call that is cancelled")),
    ]

    private static let connections = [
        Entry(84, 85, at: .table),
        Entry(85, at: .later("a resolver that is slow or finds no address needs one of our own")),
        Entry(86, at: matrix("TimingFaults", "86: ")),
        Entry(87, at: matrix("StallFaults", "87, L5: ")),
        Entry(88...94, at: .table),
        Entry(95, at: matrix("ConnectionFaults", "95: ")),
        Entry(
            95,
            at: .test(
                "IntegrationTests/Transports/TransportAdmissionTests",
                "A9: a refresh runs while all places are taken, then ranks")),
        Entry(96, at: .table),
        Entry(97, at: matrix("ClockFaults", "97: ")),
        Entry(98, at: matrix("ClockFaults", "98: ")),
        Entry(99, at: tls("matrix 99: a certificate that nobody vouches for")),
        Entry(99, at: tls("matrix 99: where the authority is known")),
        Entry(100, at: tls("matrix 100: plain HTTP to a port that wants TLS")),
        Entry(100, at: tls("matrix 100: a connection that is lost in the handshake")),
        Entry(101, at: .later("an end over TLS without close_notify")),
        Entry(102, at: curl("a pinned key is enough, and another is refused")),
        Entry(102, at: curl("a rotated pin lets the old key and the new one through")),
        Entry(102, at: curl("a client certificate is shown to who asks")),
    ]

    private static let retries = [
        Entry(103, at: retry("RetryPolicyTests", "R6: vector 8: ")),
        Entry(103, at: .later("the other vectors of AWS, and CUBIC: rates here do not adapt")),
        Entry(104, at: retry("RetryPlanTests", "104: ")),
        Entry(105, at: retry("BackoffTests", "R2: full jitter is uniform")),
        Entry(105, at: retry("BackoffTests", "R2: no number of retries overflows")),
        Entry(106, at: retry("RetryAfterTests", "R3: a date in each of three forms")),
        Entry(106, at: retry("RetryAfterTests", "R3: what is neither seconds nor a date")),
        Entry(107, at: retry("RetryPlanTests", "R5: a pause that does not fit")),
        Entry(108, at: retry("RetryPolicyTests", "R8: cancelled during the pause")),
        Entry(109, at: retry("RetryPolicyTests", "R6: an exhausted budget shows the original error")),
        Entry(109, at: retry("RetryBudgetTests", "R6: in any order of retries and successes")),
        Entry(110, at: .later("a stream that was begun is handed over, and no retrier hears of its end")),
        Entry(112, at: unit("Interceptors/IdempotencyKeyTests", "all attempts of a call have the same key")),
        Entry(113, at: .later("the body of a 503 is read, up to the limit of bodies in memory")),
    ]

    private static let credentials = [
        Entry(114, at: storm("A1: however many calls have a stale token")),
        Entry(115, at: refresh("RefreshStateMachineTests", "A2: a late rejection of an old credential")),
        Entry(116, at: refresh("TokenRefresherTests", "A4: all who wait get the same error")),
        Entry(117, at: storm("A5: half of them cancelled during the renewal")),
        Entry(117, at: storm("A5: all of them cancelled")),
        Entry(118, at: refresh("TokenRefresherTests", "A6: a renewal that hangs ends by its own time")),
        Entry(119, at: refresh("SharedStoreTests", "A13: only what says that the grant is gone")),
        Entry(120, at: storm("A9: with few places for all")),
        Entry(121, at: refresh("TokenRefresherTests", "A8: a second rejection is the caller's")),
        Entry(121, at: refresh("TokenRefresherTests", "A8: a server that rejects everything")),
        Entry(122, at: refresh("RefreshStateMachineTests", "A10: what has expired when it comes is an error")),
        Entry(122, at: refresh("RefreshStateMachineTests", "A10: in the mandatory window everybody waits")),
        Entry(123, at: refresh("TokenRefresherTests", "A16: signed out during a renewal")),
        Entry(123, at: refresh("SharedStoreTests", "A14: two that renew at once agree")),
        Entry(124, at: refresh("TokenRefresherTests", "A17: a refresh closure that blocks")),
    ]

    private static let above = [
        Entry(111, at: unit("Engine/AttemptLoopTests", "111: ")),
        Entry(125, at: .table),
        Entry(
            126,
            at: .test("IntegrationTests/Cancellation/StormTests", "cancelled at any moment, every call calls back once")
        ),
        Entry(127, at: matrix("LifecycleFaults", "127: ")),
        Entry(128, at: matrix("LifecycleFaults", "128: ")),
        Entry(128, at: .test("IntegrationTests/Cancellation/CallbackContractTests", "1.12 (7): a callback may")),
    ]
}
