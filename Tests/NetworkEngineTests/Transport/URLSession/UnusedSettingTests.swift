import Foundation
import Testing

@testable import NetworkEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct UnusedSettingTests {
    struct Choice: Sendable, CustomTestStringConvertible {
        let name: String
        let make: @Sendable (URLSessionConfiguration) -> Void
        var testDescription: String { name }
    }

    static let choices = [
        Choice(name: "httpCookieStorage") { $0.httpCookieAcceptPolicy = .always },
        Choice(name: "urlCache") {
            $0.urlCache = URLCache(memoryCapacity: 1 << 16, diskCapacity: 0, diskPath: nil)
        },
        Choice(name: "requestCachePolicy") { $0.requestCachePolicy = .returnCacheDataElseLoad },
        Choice(name: "timeoutIntervalForRequest") { $0.timeoutIntervalForRequest = 5 },
        Choice(name: "timeoutIntervalForResource") { $0.timeoutIntervalForResource = 90 },
        Choice(name: "urlCredentialStorage") { configuration in
            let storage = URLSessionConfiguration.ephemeral.urlCredentialStorage
            let space = URLProtectionSpace(
                host: "example.com", port: 443, protocol: "https", realm: nil, authenticationMethod: nil)
            let credential = URLCredential(user: "ada", password: "secret", persistence: .forSession)
            storage?.set(credential, for: space)
            configuration.urlCredentialStorage = storage
        },
    ]

    @Test(arguments: choices)
    func `a chosen setting is named by validate and by unusedSettings`(choice: Choice) throws {
        let configuration = URLSessionConfiguration.ephemeral
        choice.make(configuration)
        let transport = URLSessionTransport(session: URLSession(configuration: configuration))
        defer { transport.shutdown() }
        let error = #expect(throws: NetworkError.self) { try transport.validate() }
        #expect(error?.kind == .unsupported)
        #expect(error?.reason.contains(choice.name + ": ") == true)
        #expect(error?.reason.contains("secret") == false)
        #expect(transport.unusedSettings.contains { $0.hasPrefix(choice.name + ": ") })
    }

    @Test(arguments: choices)
    func `a transport of a configuration only lists its unused settings`(choice: Choice) throws {
        let configuration = URLSessionConfiguration.ephemeral
        choice.make(configuration)
        let transport = URLSessionTransport(configuration: configuration)
        defer { transport.shutdown() }
        try transport.validate()
        #expect(transport.unusedSettings.contains { $0.hasPrefix(choice.name + ": ") })
    }

    @Test func `all chosen settings are named together`() {
        let configuration = URLSessionConfiguration.ephemeral
        for choice in Self.choices { choice.make(configuration) }
        let transport = URLSessionTransport(session: URLSession(configuration: configuration))
        defer { transport.shutdown() }
        let error = #expect(throws: NetworkError.self) { try transport.validate() }
        for choice in Self.choices {
            #expect(error?.reason.contains(choice.name + ": ") == true)
        }
    }

    @Test(arguments: [false, true])
    func `a new session is valid, and its cookie storage and cache are listed`(isEphemeral: Bool) throws {
        let session = isEphemeral ? URLSession(configuration: .ephemeral) : URLSession(configuration: .default)
        let transport = URLSessionTransport(session: session)
        defer { transport.shutdown() }
        try transport.validate()
        let names = transport.unusedSettings.map { $0.prefix { $0 != ":" } }
        #expect(names.contains("httpCookieStorage"))
        #expect(names.contains("urlCache"))
    }

    @Test func `the shared session is valid`() throws {
        let transport = URLSessionTransport(session: .shared)
        defer { transport.shutdown() }
        try transport.validate()
    }

    @Test func `a session without storages, and with what the engine does anyway, has no unused settings`() throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpAdditionalHeaders = ["X-App": "1"]
        configuration.httpMaximumConnectionsPerHost = 2
        let transport = URLSessionTransport(session: URLSession(configuration: configuration))
        defer { transport.shutdown() }
        try transport.validate()
        #expect(transport.unusedSettings == [])
    }

    @Test func `a delegate that is not the observer is named`() throws {
        let delegate = Delegate()
        let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let transport = URLSessionTransport(session: session)
        let observed = URLSessionTransport(session: session, observer: delegate)
        defer {
            transport.shutdown()
            observed.shutdown()
        }
        let error = #expect(throws: NetworkError.self) { try transport.validate() }
        #expect(error?.reason.contains("delegate: ") == true)
        try observed.validate()
    }

    #if canImport(FoundationNetworking)
    @Test func `what Linux cannot do fails every send`() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.connectionProxyDictionary = ["HTTPEnable": 1]
        let transport = URLSessionTransport(session: URLSession(configuration: configuration))
        let request = HTTPRequest(url: try #require(URL(string: "http://127.0.0.1:1/")))
        let error = await #expect(throws: NetworkError.self) {
            try await transport.send(request, context: TransportContext())
        }
        #expect(error?.kind == .unsupported)
    }

    @Test func `what has no effect on Linux is named`() throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.allowsCellularAccess = false
        let transport = URLSessionTransport(session: URLSession(configuration: configuration))
        defer { transport.shutdown() }
        let error = #expect(throws: NetworkError.self) { try transport.validate() }
        #expect(error?.reason.contains("allowsCellularAccess: it has no effect on Linux") == true)
    }
    #endif
}

private final class Delegate: NSObject, URLSessionTaskDelegate {}
