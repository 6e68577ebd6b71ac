import Foundation
import NetworkEngine

/// The steps of one response, made one after the other while it is sent: a pure machine.
package struct ResponseScript: Sendable {
    package enum Step: Sendable {
        /// To be written by itself before the next step.
        case send([UInt8])
        case incident(LoopbackIncident.Action)
        /// Everything is sent.
        case end(LoopbackEnding)
    }

    private enum Part {
        case start, head, body(Int), finish, done
    }

    /// What is made and sent at once of a large body.
    private static let pieceSize = 1 << 16

    private let response: LoopbackResponse
    private let head: ResponseHead
    private var timeline: LoopbackTimeline
    private var steps: [Step] = []
    private var nextStep = 0
    /// How many bytes the steps at hand have.
    private var made = 0
    private var part = Part.start

    /// A response to a request, of which the incidents before the response have happened.
    package init(_ response: LoopbackResponse, to request: RequestHead?, keepsAlive: Bool) {
        self.response = response
        head = ResponseHead(response, to: request, keepsAlive: keepsAlive)
        timeline = LoopbackTimeline(response.incidents.drop { $0.point < .responseStart })
    }

    package mutating func next() -> Step {
        if nextStep == steps.count { refill() }
        defer { nextStep += 1 }
        return steps[nextStep]
    }

    /// Makes what is worth one write, so that head and small body leave together.
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

    /// Adds the piece of the body that starts there and returns where the next one does.
    private mutating func body(from offset: Int) -> Int? {
        reach(.responseBody(afterBytes: offset))
        let length = head.hasBody ? response.body.count ?? .max : 0
        guard offset < length else { return nil }
        // Nothing is smaller than what goes out at a time, or a fast pace would wait too often.
        let end = min(length, offset + (head.chunkSize ?? max(Self.pieceSize, response.pacing?.bytes ?? 0)))
        let payload = response.body.bytes(offset..<end)
        if head.chunkSize != nil { append(Array("\(String(payload.count, radix: 16))\r\n".utf8)) }
        append(payload, stage: .responseBody, from: offset, pacing: response.pacing != nil)
        if head.chunkSize != nil { append([0x0D, 0x0A]) }
        return end
    }

    /// Adds bytes, cut where something happens and where the pacing wants it.
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

    /// Adds bytes to those that are sent with one call.
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

    /// Adds what happens up to this moment.
    private mutating func reach(_ point: LoopbackPoint) {
        while let action = timeline.next(upTo: point) { steps.append(.incident(action)) }
    }
}
