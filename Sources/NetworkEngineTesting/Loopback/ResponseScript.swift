import Foundation
import NetworkEngine

/// The steps to send one response, generated on demand by a pure state machine.
struct ResponseScript: Sendable {
    enum Step: Sendable {
        /// Bytes to write before the next step.
        case send([UInt8])
        case incident(LoopbackIncident.Action)
        case end(LoopbackEnding)
    }

    private enum Part {
        case start, head, body(Int), finish, done
    }

    /// The number of bytes of a large body to generate and send together.
    private static let pieceSize = 1 << 16

    let response: LoopbackResponse
    private let head: ResponseHead
    private var timeline: LoopbackTimeline
    private var steps: [Step] = []
    private var nextStep = 0
    /// The number of bytes in the current steps.
    private var made = 0
    private var part = Part.start

    /// Creates the steps for a response, after its incidents before the response start.
    init(_ response: LoopbackResponse, to request: RequestHead?, keepsAlive: Bool) {
        self.response = response
        head = ResponseHead(response, to: request, keepsAlive: keepsAlive)
        timeline = LoopbackTimeline(response.incidents.drop { $0.point < .responseStart })
    }

    mutating func next() -> Step {
        if nextStep == steps.count { refill() }
        defer { nextStep += 1 }
        return steps[nextStep]
    }

    /// Generates enough steps for one write, so that the head and a small body are sent together.
    private mutating func refill() {
        steps.removeAll(keepingCapacity: true)
        (nextStep, made) = (0, 0)
        repeat { advance() } while !isDone && made < Self.pieceSize
    }

    private var isDone: Bool {
        if case .done = part { return true }
        return false
    }

    private mutating func advance() {
        switch part {
        case .start:
            reach(.responseStart)
            for interim in response.interim { append(ResponseHead.interim(interim)) }
            part = .head
        case .head:
            append(head.bytes, stage: .responseHead, from: 0, pacing: response.pacing?.includesHead == true)
            reach(.responseHead(afterBytes: .max))
            part = .body(0)
        case .body(let offset):
            part = body(from: offset).map(Part.body) ?? .finish
        case .finish:
            reach(.responseBody(afterBytes: .max))
            append(head.end(response.trailers))
            reach(.responseEnd)
            steps.append(.end(head.ending))
            part = .done
        case .done:
            steps.append(.end(head.ending))
        }
    }

    /// Adds the piece of the body at an offset and returns the next offset.
    private mutating func body(from offset: Int) -> Int? {
        reach(.responseBody(afterBytes: offset))
        let length = head.hasBody ? response.body.count ?? .max : 0
        guard offset < length else { return nil }
        // A piece is at least as large as the pace, which would otherwise wait too often.
        let end = min(length, offset + (head.chunkSize ?? max(Self.pieceSize, response.pacing?.bytes ?? 0)))
        let payload = response.body.bytes(offset..<end)
        if head.chunkSize != nil { append(Array("\(String(payload.count, radix: 16))\r\n".utf8)) }
        append(payload, stage: .responseBody, from: offset, pacing: response.pacing != nil)
        if head.chunkSize != nil { append([0x0D, 0x0A]) }
        return end
    }

    /// Adds bytes, split at incidents and by the pacing.
    private mutating func append(_ bytes: [UInt8], stage: LoopbackPoint.Stage, from offset: Int, pacing: Bool) {
        var start = 0
        while start < bytes.count {
            reach(LoopbackPoint(stage: stage, offset: offset + start))
            var end = bytes.count
            if let cut = timeline.offset(in: stage) { end = min(end, cut - offset) }
            if pacing, let pacing = response.pacing {
                end = min(end, start + pacing.bytes)
                made += end - start
                steps.append(.send(Array(bytes[start..<end])))
                if pacing.interval > .zero { steps.append(.incident(.wait(pacing.interval))) }
            } else {
                append(start == 0 && end == bytes.count ? bytes : Array(bytes[start..<end]))
            }
            start = end
        }
    }

    /// Adds bytes, joined with the previous step if possible.
    private mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        made += bytes.count
        if response.pacing == nil, case .send(var ahead)? = steps.last, ahead.count < Self.pieceSize {
            steps.removeLast()
            ahead += bytes
            steps.append(.send(ahead))
        } else {
            steps.append(.send(bytes))
        }
    }

    /// Adds the incidents up to this point.
    private mutating func reach(_ point: LoopbackPoint) {
        while let action = timeline.next(upTo: point) { steps.append(.incident(action)) }
    }
}
