import Foundation
import NetworkEngine
import NetworkEngineGraphQL
import NetworkEngineStreams
import NetworkEngineTesting
import Testing
import UserDirectory

/// Tests that public types are `Sendable`.
@Suite(.timeLimit(.minutes(5))) struct SendableTests {
    private func isSendable<Value: Sendable>(_ type: Value.Type) -> Bool { true }
    private func isSendable<Value>(_ type: Value.Type) -> Bool { false }

    @Test func `the types that callers keep are Sendable`() {
        #expect(isSendable(NetworkConfiguration.self) && !isSendable(UnsafeRawPointer.self))
        #expect(isSendable(NetworkProvider<LiveUsers>.self) && isSendable(RequestHandle<Int>.self))
        #expect(isSendable(HTTPClient.self) && isSendable(Endpoint.self) && isSendable(TypedEndpoint<Int>.self))
        #expect(isSendable((any RequestInterceptor).self) && isSendable((any Transport).self))
        #expect(isSendable((any HTTPClientContract).self) && isSendable((any GraphQLClientContract).self))
        #expect(isSendable(GraphQLClient.self) && isSendable(GraphQLOperation.self) && isSendable(GraphQLError.self))
        #expect(isSendable(ResponseStream.self) && isSendable(ServerSentEvents.self))
        #expect(isSendable(NetworkError.self) && isSendable(HTTPRequest.self) && isSendable(HTTPResponse.self))
        #expect(isSendable(MockTransport.self) && isSendable(HTTPClientMock.self) && isSendable(LoopbackServer.self))
    }

    @Test func `Locked is the only unchecked Sendable type`() throws {
        let sources = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Sources").standardized
        var unchecked: [String] = []
        for case let file as URL in FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
            ?? .init()
        where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            for line in code where line.contains("@unchecked") || line.contains("nonisolated(unsafe)") {
                unchecked.append("\(file.lastPathComponent):\(line)")
            }
        }
        #expect(unchecked == ["Locked.swift:package struct Locked<State>: @unchecked Sendable {"])
    }
}
