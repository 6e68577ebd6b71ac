/// Where each of the 128 cases of `resilience.md` section 2 is proved, or why it is not yet.
enum MatrixIndex {
    enum Place: Sendable {
        /// A row of a table that runs over every transport.
        case table
        /// A test whose name begins so, in a file under `Tests`.
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

    private static func unit(_ file: String, _ claim: String) -> Place { .test("NetworkEngineTests/" + file, claim) }

    static let entries = bodies + heads + redirects + connections + above

    private static let bodies = [
        Entry(1...26, at: .table),
        Entry(27, at: matrix("ReplyFaults", "27: no bytes")),
        Entry(28...32, at: .table),
        Entry(33, at: matrix("CodingFaults", "33: no coding")),
        Entry(34, at: .table),
        Entry(34, at: .later("a wrong Content-Range is an error once downloads are resumed")),
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
        Entry(
            52,
            at: .later("a part that is a stream is refused with .unsupported until bodies are written piece by piece")),
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
        Entry(80, 81, at: .table),
        Entry(82, at: .later("a redirect's body is downloaded; its Retry-After of a redirect is looked at by nobody")),
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
                "IntegrationTests/URLSession/AdmissionTests",
                "A9: a refresh runs while all places are taken, then ranks")),
        Entry(96, at: .table),
        Entry(97, at: matrix("ClockFaults", "97: ")),
        Entry(98, at: matrix("ClockFaults", "98: ")),
        Entry(99, at: tls("matrix 99: a certificate that nobody vouches for")),
        Entry(99, at: tls("matrix 99: where the authority is known")),
        Entry(100, at: tls("matrix 100: plain HTTP to a port that wants TLS")),
        Entry(100, at: tls("matrix 100: a connection that is lost in the handshake")),
        Entry(101, 102, at: .later("pins, client certificates and unclean ends over TLS, for CurlTransport")),
    ]

    private static let above = [
        Entry(103...110, at: .later("the retry policy")),
        Entry(111, at: unit("Engine/AttemptLoopTests", "111: ")),
        Entry(112, 113, at: .later("the retry policy")),
        Entry(114...124, at: .later("the token refresher")),
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
