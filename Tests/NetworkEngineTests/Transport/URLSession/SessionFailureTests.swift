import Foundation
import NetworkEngine
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct SessionFailureTests {
    @Test(
        arguments: [
            (.unknown, "SSL certificate problem: certificate has expired", false, .tlsCertificate(.expired)),
            (.unknown, "SSL certificate problem: self-signed certificate", false, .tlsCertificate(.selfSigned)),
            (
                .unknown, "SSL certificate problem: unable to get local issuer certificate", false,
                .tlsCertificate(.untrusted)
            ),
            (
                .unknown, "SSL: no alternative certificate subject name matches target", false,
                .tlsCertificate(.wrongHost)
            ),
            (.unknown, "transfer closed with 98 bytes remaining to read", true, .lostMidBody),
            (.unknown, "Recv failure: Connection reset by peer", false, .lostBeforeResponse),
            (.networkConnectionLost, "Recv failure: Connection reset by peer", true, .lostMidBody),
            (.networkConnectionLost, "The network connection was lost.", false, .lostBeforeResponse),
            (.badServerResponse, "Empty reply from server", false, .lostBeforeResponse),
            (.unsupportedURL, "unsupported URL", false, .protocolViolation),
            (.cannotFindHost, "Could not resolve host: x.invalid", false, .dns),
            (.cannotConnectToHost, "Failed to connect to 127.0.0.1 port 1", false, .connect),
            (.timedOut, "(null)", true, .timeout(.attempt)),
            (.notConnectedToInternet, "", false, .offline),
            (.unknown, "Failed writing header", false, .protocolViolation),
            (.unknown, "Too large response headers: 307201 > 307200", false, .limitExceeded),
            (.unknown, "Too long hexadecimal number in chunked-encoding", true, .protocolViolation),
            (.unknown, "whatever", true, .lostMidBody),
            (.unknown, "whatever", false, .unknown),
        ] as [(URLError.Code, String, Bool, TransportFailure)])
    func `L10: words come before codes`(code: URLError.Code, message: String, hasHead: Bool, failure: TransportFailure)
    {
        let found = SessionFailure.classify(code: code, message: message, hasHead: hasHead)
        #expect(found == failure)
    }

    @Test func `an address in the platform's words does not get into the reason`() {
        #expect(!SessionFailure.reason(.connect, message: "bad http://h/?token=s").contains("token"))
        #expect(SessionFailure.reason(.connect, message: "Failed to connect").contains("Failed to connect"))
    }
}
