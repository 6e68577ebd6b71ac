import Foundation
import NetworkEngine

/// The fate of each request, decided by a seed: pure, with no effect but on itself.
///
/// The n-th request of a method to an address has the same fate in every run, however calls of others come in between.
struct ChaosPlan {
    struct Fate {
        /// How far into the span of latencies, from 0 to 1.
        let latency: Double
        let fault: ChaosFault?
    }

    let seed: UInt64
    private var counts: [UInt64: UInt64] = [:]

    init(seed: UInt64) { self.seed = seed }

    mutating func fate(of request: HTTPRequest, among faults: [ChaosFault]) -> Fate {
        let name = Self.hash("\(request.method.rawValue) \(request.url.absoluteString)")
        let count = counts[name, default: 0]
        counts[name] = count + 1
        var random = SeededGenerator(seed: seed ^ name &+ count &* 0x9E37_79B9_7F4A_7C15)
        let latency = Double.random(in: 0..<1, using: &random)
        var draw = Double.random(in: 0..<1, using: &random)
        for fault in faults where fault.probability > 0 {
            if draw < fault.probability { return Fate(latency: latency, fault: fault) }
            draw -= fault.probability
        }
        return Fate(latency: latency, fault: nil)
    }

    /// FNV-1a: the same in every process, as `Hasher` is not.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}
