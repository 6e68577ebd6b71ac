// Claims that must hold with a 32-bit Int. A trap also fails the check.

private nonisolated(unsafe) var failures: Int32 = 0

private func claim(_ name: StaticString, _ holds: Bool) {
    if holds { return }
    print("does not hold: ", terminator: "")
    print(name)
    failures += 1
}

@_cdecl("claims") public func claims() -> Int32 {
    claim("an Int has 32 bits", Int.bitWidth == 32)
    requests()
    times()
    bytesOfPeers()
    numbers()
    return failures
}

private final class Timer: TimerTarget, Sendable {
    func timerFired() {}
}

private func requests() {
    var queue = WaitingQueue(perHost: 6, total: 64)
    claim("a request has a permit", queue.enter(host: "a", rank: .normal).isAdmitted)
    // Proves that the check can fail.
    var seeded = Seed.WaitingQueue(perHost: 6, total: 64)
    claim("a limit of 1 << 40 is none", !seeded.enter(host: "a", rank: .normal).isAdmitted)
    var endless = WaitingQueue(perHost: .max, total: .max)
    claim("an endless queue admits a refresh", endless.enterAtOnce(host: "a", rank: .refresh) != nil)

    var exchange = ExchangeStateMachine(ExchangeStateMachine.Rules(bodyLimit: 5 << 30))
    _ = exchange.begin()
    _ = exchange.admit()
    _ = exchange.send()
    let head = ResponseHead(
        statusCode: 200, fields: .headers(HTTPHeaders()), hasBody: true, bodyLength: 4 << 30, isRedirect: false)
    claim("a body of 4 GiB is collected", exchange.receive(head) == .collect)
    var isKept = true
    for _ in 0..<5 { isKept = isKept && exchange.receive(count: 1 << 30) == .keep }
    claim("a body is counted beyond 2 GiB", isKept && exchange.received == 5 << 30)
}

private func times() {
    let (late, century) = (Duration.seconds(3_000_000_000 as Int64), Duration.seconds(3_162_240_000 as Int64))
    claim("a duration is limited to a hundred years", Duration.seconds(Int64.max).bounded == century)
    claim("a rate lets a request go", goes(RateSchedule(count: 10, per: .seconds(1), burst: 10), at: late))
    claim("an endless burst lets a request go", goes(RateSchedule(count: 1, per: century, burst: .max), at: .zero))

    var limits = CircuitStateMachine.Limits()
    limits.window = .milliseconds(1)
    var circuit = CircuitStateMachine(limits)
    if case .success(let permit) = circuit.enter(at: late) { circuit.left(permit, .success, at: late) }

    var heap = TimerHeap()
    _ = heap.insert(at: late, Timer())
    claim("a timer is due after 68 years", heap.removeDue(at: late).count == 1)
    claim("a date after 2038 has its text", HTTPDate.text(4_102_444_800) == "Fri, 01 Jan 2100 00:00:00 GMT")
}

private func goes(_ schedule: RateSchedule, at time: Duration) -> Bool {
    var schedule = schedule
    if case .go = schedule.enter("a", at: time, within: .zero) { return true }
    return false
}

private func bytesOfPeers() {
    // A sequence length of 2^31 or more must not be read as negative.
    let bytes: [UInt8] = [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0x30]
    claim("a certificate with a negative length is none", CertificateFields(der: bytes) == nil)

    for isCompressed in [false, true] {
        let compression = isCompressed ? CompressionTerms.Side() : nil
        var reader = WebSocketReader(at: .client, limit: 16 << 20, compression: compression)
        reader.add([isCompressed ? 0xC2 : 0x82, 0x7F, 0, 0, 0, 1, 0, 0, 0, 0])
        var fault: WebSocketFault?
        do throws(WebSocketFault) { _ = try reader.next() } catch { fault = error }
        claim("a frame of 4 GiB is too large", fault == .tooLarge(limit: 16 << 20))
    }

    // Nine million objects with 255-byte offsets, in a 9 MiB file.
    var list = [UInt8]("bplist00".utf8) + [UInt8](repeating: 0, count: 9 << 20)
    list += [0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0x90, 0, 0]
    list += [0, 0, 0, 0, 0, 0x8F, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 8]
    claim("a property list with offsets beyond its end is not safe", !PropertyListCheck.isSafe(list))
}

private func numbers() {
    for (text, value) in [("2147483647", Int.max), ("-2147483648", .min), ("123456789", 123_456_789)] {
        claim("JSON has every Int", integer(text) == value)
    }
    for text in ["2147483648", "-2147483649", "4294967296", "123456789012345678"] {
        claim("JSON has no Int that does not fit", integer(text) == nil)
    }
    claim("a checksum is that of 64 bits", Checksum.of("abc".utf8) == 0x44BC_2CF5_AD77_0999)
    claim("a digest is that of 64 bits", SHA256.digest(of: "abc".utf8).prefix(3) == [0xBA, 0x78, 0x16])
}

private func integer(_ text: String) -> Int? {
    var text = text
    return text.withUTF8 { bytes -> Int? in
        let bytes = JSONBytes(bytes)
        var tokens = JSONTokenList(capacity: 1)
        guard case .isRead = JSONScanner.scan(bytes, &tokens) else { return nil }
        return JSONText(tokens: tokens.view, bytes: bytes, keyStyle: .asWritten).int(at: 0)
    }
}
