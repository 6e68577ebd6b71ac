/// One exchange in a recording.
package struct HAREntry: Codable, Sendable {
    /// The start time in ISO 8601 format; the epoch if times are omitted to make recordings comparable.
    var startedDateTime = "1970-01-01T00:00:00.000Z"
    /// Milliseconds.
    var time = 0.0
    package var request: HARRequest
    package var response: HARResponse
    var cache = Nothing()
    var timings = Timings()
    var serverIPAddress: String?
    var comment: String?
    /// The call's number and the attempt's number.
    var _call: UInt64?
    var _attempt: Int?
    /// What the cache did, in one word.
    var _cache: String?

    /// An object that the format requires and this package does not use.
    struct Nothing: Codable, Sendable {}

    /// Each phase in milliseconds.
    ///
    /// -1 for a phase that did not happen or is unknown; connecting includes the TLS handshake.
    struct Timings: Codable, Sendable {
        var blocked: Double?
        var dns: Double?
        var connect: Double?
        var ssl: Double?
        var send = 0.0
        var wait = 0.0
        var receive = 0.0
    }

    package init(request: HARRequest, response: HARResponse) {
        self.request = request
        self.response = response
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        request = try container.decode(HARRequest.self, forKey: .request)
        response = try container.decode(HARResponse.self, forKey: .response)
        startedDateTime = (try? container.decode(String.self, forKey: .startedDateTime)) ?? startedDateTime
        time = (try? container.decode(Double.self, forKey: .time)) ?? time
        timings = (try? container.decode(Timings.self, forKey: .timings)) ?? timings
        serverIPAddress = try? container.decode(String.self, forKey: .serverIPAddress)
        comment = try? container.decode(String.self, forKey: .comment)
        _call = try? container.decode(UInt64.self, forKey: ._call)
        _attempt = try? container.decode(Int.self, forKey: ._attempt)
        _cache = try? container.decode(String.self, forKey: ._cache)
    }

    private enum CodingKeys: String, CodingKey {
        case startedDateTime, time, request, response, cache, timings, serverIPAddress, comment
        case _call, _attempt, _cache
    }
}
