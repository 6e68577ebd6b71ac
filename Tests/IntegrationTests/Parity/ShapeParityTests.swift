import Dispatch
import Foundation
import TestSupport
import Testing

@testable import NetworkEngine

/// Results other than a decoded value: text, bytes, an optional, or nothing.
@Suite(.timeLimit(.minutes(5))) struct ShapeParityTests {
    struct Case: Sendable {
        var method = HTTPMethod.get
        var answer: Scenario.Answer
        /// The result, or the error's kind.
        var text: String?
        var optional: User??
        var kind: NetworkError.Kind?
    }

    static let cases = [
        Case(answer: .http(200, Scenario.ada), text: Scenario.ada, optional: User(id: 7, name: "Ada")),
        Case(answer: .http(204, ""), text: "", optional: .some(nil)),
        Case(method: .delete, answer: .http(200, ""), text: "", optional: .some(nil)),
        Case(answer: .http(200, ""), text: "", optional: .some(nil)),
        Case(answer: .http(404, "none"), kind: .status),
        Case(answer: .http(600, ""), kind: .status),
        Case(answer: .garbage, kind: .protocolViolation),
        Case(answer: .refusal, kind: .connection),
    ]

    @Test(arguments: cases, Rig.Wire.allCases)
    func `an optional is nil for 204 and for no bytes, in every style`(
        expected: Case,
        wire: Rig.Wire
    ) async throws {
        let rig = try Rig(expected.answer, expected.method, over: wire)
        for style in CallStyle.allCases {
            let outcome = try #require(await style.start(rig.target, on: rig.provider, as: User?.self).outcome)
            #expect(outcome.mapError(\.kind) == expected.result(expected.optional), "\(style)")
        }
    }

    @Test func `the body of a 204 is ignored`() async throws {
        let rig = try Rig(.http(204, "{]"), over: .mock)
        for style in CallStyle.allCases {
            let outcome = try #require(await style.start(rig.target, on: rig.provider, as: User?.self).outcome)
            #expect(outcome == .success(nil), "\(style)")
        }
    }

    @Test(arguments: cases, Rig.Wire.allCases)
    func `bytes are the same in every style`(expected: Case, wire: Rig.Wire) async throws {
        let rig = try Rig(expected.answer, expected.method, over: wire)
        let calls: [OngoingCall<Data>] = [
            .awaiting { try await rig.provider.data(rig.target) },
            .awaiting { try await rig.provider.send(rig.target).data },
            .awaiting { try await rig.provider.request(rig.target, as: Data.self) },
            .calling { rig.provider.data(rig.target, queue: CallStyle.delivery, completion: $0) },
            .calling { completion in rig.provider.data(rig.target) { completion($0) } },
        ]
        for call in calls {
            let outcome = try #require(await call.outcome)
            let text = outcome.map { String(decoding: $0, as: UTF8.self) }
            #expect(text.mapError(\.kind) == expected.result(expected.text))
        }
    }

    @Test(arguments: cases, Rig.Wire.allCases)
    func `text is the same in every style`(expected: Case, wire: Rig.Wire) async throws {
        let rig = try Rig(expected.answer, expected.method, over: wire)
        let calls: [OngoingCall<String>] = [
            .awaiting { try await rig.provider.string(rig.target) },
            .awaiting { try await rig.provider.request(rig.target, decoding: .string) },
            .calling { rig.provider.string(rig.target, queue: CallStyle.delivery, completion: $0) },
            .calling { completion in rig.provider.string(rig.target) { completion($0) } },
        ]
        for call in calls {
            let outcome = try #require(await call.outcome)
            #expect(outcome.mapError(\.kind) == expected.result(expected.text))
        }
    }

    @Test func `an ignored body need not be JSON`() async throws {
        let rig = try Rig(.http(200, "OK"), over: .mock)
        try await rig.provider.request(rig.target)
        #expect(try await rig.provider.request(rig.target) == EmptyBody())
    }

    @Test(arguments: cases, Rig.Wire.allCases)
    func `a call without a value succeeds with any body`(expected: Case, wire: Rig.Wire) async throws {
        let rig = try Rig(expected.answer, expected.method, over: wire)
        let calls: [OngoingCall<EmptyBody>] = [
            .awaiting {
                try await rig.provider.request(rig.target)
                return EmptyBody()
            },
            .running(rig.provider.start(rig.target)),
            .calling { rig.provider.request(rig.target, queue: CallStyle.delivery, completion: $0) },
            .awaiting { try await rig.target.request(type: EmptyBody.self) },
        ]
        for call in calls {
            let outcome = try #require(await call.outcome)
            #expect(outcome.mapError(\.kind) == expected.result(EmptyBody()))
        }
    }
}

/// Compares two outcomes by their error kinds.
extension NetworkError.Kind: Error {}

extension ShapeParityTests.Case {
    func result<Value>(_ value: Value?) -> Result<Value, NetworkError.Kind> {
        if let kind { return .failure(kind) }
        guard let value else { preconditionFailure("The table has a hole") }
        return .success(value)
    }
}
