import Foundation
public import NetworkEngine

/// A fault that occurs for a share of the requests.
///
/// ```swift
/// .failing(.lostBeforeResponse, probability: 0.05)
/// .answering(503, headers: ["Retry-After": "1"], probability: 0.1)
/// .losingTheAnswer(probability: 0.01)
/// ```
public struct ChaosFault: Sendable {
    enum Effect: Sendable {
        case failure(TransportFailure)
        case thrown(any Error)
        case answer(Int, HTTPHeaders)
        case lostAnswer
        case damagedBody
        case hang
    }

    let effect: Effect
    /// The share of requests with this fault, from 0 to 1.
    public var probability: Double

    /// Fails the request without sending it.
    public static func failing(_ failure: TransportFailure, probability: Double) -> ChaosFault {
        ChaosFault(effect: .failure(failure), probability: probability)
    }

    /// Throws an error without sending the request.
    public static func throwing(_ error: any Error, probability: Double) -> ChaosFault {
        ChaosFault(effect: .thrown(error), probability: probability)
    }

    /// Answers with a status without sending the request.
    public static func answering(_ status: Int, headers: HTTPHeaders = [:], probability: Double) -> ChaosFault {
        ChaosFault(effect: .answer(status, headers), probability: probability)
    }

    /// Answers with a status and headers in a dictionary, without sending the request.
    @_disfavoredOverload
    public static func answering(_ status: Int, headers: some TargetHeaders, probability: Double) -> ChaosFault {
        answering(status, headers: HTTPHeaders(declared: headers), probability: probability)
    }

    /// Sends the request and drops the response, so that the server's effects remain unknown to the caller.
    public static func losingTheAnswer(probability: Double) -> ChaosFault {
        ChaosFault(effect: .lostAnswer, probability: probability)
    }

    /// Sends the request and drops the second half of a response body in memory.
    public static func damagingTheBody(probability: Double) -> ChaosFault {
        ChaosFault(effect: .damagedBody, probability: probability)
    }

    /// Waits until the request is canceled or the call's deadline passes.
    public static func hanging(probability: Double) -> ChaosFault {
        ChaosFault(effect: .hang, probability: probability)
    }
}

/// Decides the outcome of each request from a seed, as a pure value.
///
/// The n-th request of a method to a URL has the same outcome in every run, regardless of concurrent requests.
struct ChaosPlan {
    struct Outcome {
        /// The position in the range of delays, from 0 to 1.
        let latency: Double
        let fault: ChaosFault?
    }

    let seed: UInt64
    private var counts: [UInt64: UInt64] = [:]

    init(seed: UInt64) { self.seed = seed }

    mutating func outcome(of request: HTTPRequest, among faults: [ChaosFault]) -> Outcome {
        let name = Self.hash("\(request.method.rawValue) \(request.url.absoluteString)")
        let count = counts[name, default: 0]
        counts[name] = count + 1
        // Not the generator's own step: a request's delay would equal the fault draw of the previous request.
        var random = SeededGenerator(seed: seed ^ name &+ count &* 0xD6E8_FEB8_6659_FD93)
        let latency = Double.random(in: 0..<1, using: &random)
        var draw = Double.random(in: 0..<1, using: &random)
        for fault in faults where fault.probability > 0 {
            if draw < fault.probability { return Outcome(latency: latency, fault: fault) }
            draw -= fault.probability
        }
        return Outcome(latency: latency, fault: nil)
    }

    /// FNV-1a. Unlike `Hasher`, it gives the same value in every process.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}

/// A random number generator (SplitMix64) that makes a failed run reproducible by its seed.
struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
