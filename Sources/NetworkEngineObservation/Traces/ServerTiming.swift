import NetworkEngine

/// A metric in a `Server-Timing` header: what the server did for a request, and for how long.
struct ServerTiming: Hashable, Sendable {
    let name: String
    let milliseconds: Double?
    let text: String?

    /// The metrics of a response, at most 32. Text that is not a metric is skipped.
    static func metrics(in headers: HTTPHeaders) -> [ServerTiming] {
        guard let header = headers["Server-Timing"], header.utf8.count <= 1 << 13 else { return [] }
        return LinkParser.named(in: header).lazy.filter { $0.reference.isToken }.prefix(32).map { value in
            let duration = value.parameters["dur"].flatMap(Double.init)
            return ServerTiming(
                name: value.reference, milliseconds: duration.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil },
                text: value.parameters["desc"])
        }
    }
}
