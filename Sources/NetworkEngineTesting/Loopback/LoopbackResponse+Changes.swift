public import NetworkEngine

/// Chainable methods that return a changed copy.
extension LoopbackResponse {
    private func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }

    /// Adds a header field and keeps existing fields with the same name.
    public func header(_ name: String, _ value: String) -> Self { with { $0.headers.add(value, for: name) } }

    /// Performs a fault at a point, instead of continuing.
    public func fault(_ fault: LoopbackFault, at point: LoopbackPoint) -> Self { incident(at: point, .fault(fault)) }

    /// Waits on a monotonic timer before continuing.
    public func delayed(by delay: Duration, at point: LoopbackPoint = .responseStart) -> Self {
        incident(at: point, .wait(delay))
    }

    /// Waits on a monotonic timer before continuing.
    @available(*, deprecated, renamed: "delayed(by:at:)")
    public func delayed(_ duration: Duration, at point: LoopbackPoint = .responseStart) -> Self {
        delayed(by: duration, at: point)
    }

    /// Waits until the barrier is open.
    public func held(by barrier: LoopbackBarrier, at point: LoopbackPoint = .responseStart) -> Self {
        incident(at: point, .hold(barrier))
    }

    /// Performs an action at a point, after the other actions at the same point.
    public func incident(at point: LoopbackPoint, _ action: LoopbackIncident.Action) -> Self {
        with { response in
            // Inserted after incidents at the same point.
            let index = response.incidents.firstIndex { $0.point > point } ?? response.incidents.endIndex
            response.incidents.insert(LoopbackIncident(at: point, action), at: index)
        }
    }

    /// Sends the body in chunks.
    public func chunked(size: Int = 1 << 14) -> Self { with { $0.framing = .chunked(size: max(1, size)) } }

    /// Sends trailer fields after the last chunk.
    public func trailers(_ trailers: HTTPHeaders) -> Self {
        with { response in
            response.trailers = trailers
            if response.framing == .automatic { response.framing = .chunked(size: 1 << 14) }
        }
    }

    /// Ends the body by closing the connection.
    public func closeDelimited() -> Self { with { $0.framing = .untilClose } }

    /// Sends `Content-Length` fields, correct or not.
    public func declaringLength(_ values: String...) -> Self { with { $0.framing = .declared(values) } }

    /// Sends the body in pieces of the given size, each in a separate packet.
    public func dripped(bytes: Int = 1, every interval: Duration = .zero, includingHead: Bool = false) -> Self {
        with { $0.pacing = LoopbackPacing(bytes: bytes, every: interval, includesHead: includingHead) }
    }

    /// Limits the rate at which the body is sent.
    public func throttled(bytesPerSecond: Int) -> Self {
        with { $0.pacing = LoopbackPacing(bytesPerSecond: bytesPerSecond) }
    }

    /// Limits the rate at which the request body is read.
    public func readingBody(bytesPerSecond: Int) -> Self {
        with { $0.readPacing = LoopbackPacing(bytesPerSecond: bytesPerSecond) }
    }

    /// Sends informational responses before the response.
    public func interim(_ status: Int, headers: HTTPHeaders = [:], times: Int = 1) -> Self {
        with { $0.interim += Array(repeating: Interim(status, headers: headers), count: max(0, times)) }
    }

    /// Sets the state of the connection after the response.
    public func ending(_ ending: LoopbackEnding) -> Self { with { $0.ending = ending } }

    /// Responds after the request head, without reading the body.
    public func early() -> Self { with { $0.isEarly = true } }

    /// Does not answer `Expect: 100-continue`.
    public func withholdingContinue() -> Self { with { $0.answersExpectation = false } }
}
