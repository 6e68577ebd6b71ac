import Foundation
import TestSupport
import Testing

@testable import NetworkEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct WireTests {
    private let url = URL(fileURLWithPath: "/")

    @Test func `in the background a request has the timeout of the system, and its own if it has one`() {
        #expect(HTTPRequest(url: url).wireInBackground.timeoutInterval == URLRequest(url: url).timeoutInterval)
        #expect(HTTPRequest(url: url, timeout: .seconds(7)).wireInBackground.timeoutInterval == 7)
        #expect(HTTPRequest(url: url, timeout: .zero).wireInBackground.timeoutInterval == 1)
    }

    @Test func `in the app the framework's timers come before those of the system`() {
        #expect(HTTPRequest(url: url, timeout: .seconds(7)).wireWithoutBody.timeoutInterval == 7 * 24 * 3_600)
    }
}
