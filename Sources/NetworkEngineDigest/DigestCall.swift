import Foundation
import NetworkEngine

/// The state of a call authenticated by `DigestAuth`: the challenges to answer, and the answers that were sent.
struct DigestCall: Sendable {
    /// An answer, its space, and whether it is the call's first one there.
    struct Sent: Sendable {
        let header: String
        let answer: DigestAnswer
        let space: DigestSpace
        let isFirst: Bool
    }

    /// The rejections by an origin's realm.
    private struct Rejections {
        var challenge: DigestSpace
        /// Whether the next request answers the challenge.
        var isOpen = true
        var wrong = 0
        var stale = 0
    }

    /// More stale nonces than this are not a coincidence.
    private static let staleLimit = 2
    /// Redirects lead to few realms. Prevents endless answers to a server that invents a realm for each request.
    private static let realmLimit = 4
    /// A call has few redirects and parallel requests.
    private static let sentLimit = 32
    /// In order, with the latest one last.
    private var rejections: [Rejections] = []
    private var sent: [Sent] = []

    /// The challenge that a request answers: its own, a known one, or one for another URL in the same space.
    ///
    /// - Parameter known: the challenge from an earlier call.
    func challenge(to request: HTTPRequest, orKnown known: DigestSpace?) -> (space: DigestSpace, isFirst: Bool)? {
        let open = rejections.filter(\.isOpen).map(\.challenge).reversed()
        if let space = open.first(where: { $0.isChallenge(to: request) }) { return (space, true) }
        if let known { return (known, false) }
        return open.first { $0.contains(request) }.map { ($0, true) }
    }

    mutating func add(_ answer: Sent) {
        if sent.count >= Self.sentLimit { sent.removeFirst() }
        sent.append(answer)
    }

    /// The answer sent with a request; `nil` if it has another credential or none.
    func answer(in request: HTTPRequest) -> Sent? {
        guard let header = request.headers["Authorization"] else { return nil }
        return sent.last { $0.header == header }
    }

    /// The server has accepted an answer.
    mutating func accepted(_ sent: Sent) {
        for index in rejections.indices where rejections[index].challenge.isSame(as: sent.space) {
            rejections[index].isOpen = false
        }
    }

    /// Decides whether to repeat a rejected request with an answer to the challenge.
    ///
    /// A request without an answer, or with a wrong one, is repeated once. A request with a stale nonce is repeated a
    /// few times.
    mutating func isRepeated(_ challenge: DigestSpace, hadAnswer: Bool) -> Bool {
        var entry = Rejections(challenge: challenge)
        if let index = rejections.firstIndex(where: { $0.challenge.isSame(as: challenge) }) {
            entry = rejections.remove(at: index)
        } else if rejections.count >= Self.realmLimit {
            return false
        }
        if hadAnswer, challenge.challenge.isStale { entry.stale += 1 } else { entry.wrong += 1 }
        entry.challenge = challenge
        entry.isOpen = entry.wrong <= 1 && entry.stale <= Self.staleLimit
        rejections.append(entry)
        return entry.isOpen
    }
}

extension RequestBody {
    /// The body digest, as hexadecimal digits. Reads files and replayable streams.
    func digest(with type: any MessageDigest.Type) async throws -> String {
        var digest = type.init()
        switch self {
        case .absent: break
        case .data(let data):
            var rest = data
            while !rest.isEmpty {
                // A canceled call ends early.
                try Task.checkCancellation()
                rest.prefix(1 << 20).withUnsafeBytes { digest.update($0) }
                rest = rest.dropFirst(1 << 20)
            }
        case .file(let url):
            return try await Self.stream(BodyStream(segments: [.init(.file(url), length: nil)])).digest(with: type)
        case .stream(let stream):
            for try await piece in stream { piece.withUnsafeBytes { digest.update($0) } }
        }
        return digest.digest.hexadecimal
    }
}
