public import NetworkEngine

/// Something that goes wrong with some requests.
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
        case silence
    }

    let effect: Effect
    /// The share of requests it happens to, from 0 to 1.
    public var probability: Double

    /// The request is not sent and fails so.
    public static func failing(_ failure: TransportFailure, probability: Double) -> ChaosFault {
        ChaosFault(effect: .failure(failure), probability: probability)
    }

    /// The request is not sent and this is thrown.
    public static func throwing(_ error: any Error, probability: Double) -> ChaosFault {
        ChaosFault(effect: .thrown(error), probability: probability)
    }

    /// The request is not sent and gets this status.
    public static func answering(_ status: Int, headers: HTTPHeaders = [:], probability: Double) -> ChaosFault {
        ChaosFault(effect: .answer(status, headers), probability: probability)
    }

    /// The request is sent, and what it brings is lost: the server has done what nobody hears of.
    public static func losingTheAnswer(probability: Double) -> ChaosFault {
        ChaosFault(effect: .lostAnswer, probability: probability)
    }

    /// The request is sent, and the second half of the body in memory that it brings is missing.
    public static func damagingTheBody(probability: Double) -> ChaosFault {
        ChaosFault(effect: .damagedBody, probability: probability)
    }

    /// Nothing happens until the request is cancelled or its call's deadline passes.
    public static func hanging(probability: Double) -> ChaosFault {
        ChaosFault(effect: .silence, probability: probability)
    }
}
