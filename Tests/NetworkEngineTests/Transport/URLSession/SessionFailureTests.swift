import Foundation
import TestSupport
import Testing

@testable import NetworkEngine

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
            (.unknown, "error:0A00010B:SSL routines::wrong version number", false, .tls),
            (.unknown, "OpenSSL SSL_connect: Connection reset by peer in connection to localhost:1", false, .tls),
            (.unknown, "TLS connect error: error:0A00010B:SSL routines::wrong version number", false, .tls),
            (.secureConnectionFailed, "", false, .tls),
            (
                .unknown, "OpenSSL SSL_read: error:0A000119:SSL routines::decryption failed or bad record mac", false,
                .lostBeforeResponse
            ),
            (.unknown, "OpenSSL SSL_read: SSL_ERROR_SYSCALL, errno 104", false, .lostBeforeResponse),
            (.unknown, "SSL_write() returned SYSCALL, errno = 32", false, .lostBeforeResponse),
            (
                .unknown, "GnuTLS recv error (-110): The TLS connection was non-properly terminated.", false,
                .lostBeforeResponse
            ),
            (.unknown, "OpenSSL SSL_read: error:0A00010B:SSL routines::wrong version number", true, .lostMidBody),
            (.secureConnectionFailed, "", true, .lostMidBody),
            (
                .unknown, "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required", false,
                .tlsCertificate(.clientCertificateRequired)
            ),
            (.unknown, "transfer closed with 98 bytes remaining to read", true, .lostMidBody),
            (.unknown, "Recv failure: Connection reset by peer", false, .lostBeforeResponse),
            (.networkConnectionLost, "Recv failure: Connection reset by peer", true, .lostMidBody),
            (.networkConnectionLost, "The network connection was lost.", false, .lostBeforeResponse),
            (.badServerResponse, "Empty reply from server", false, .lostBeforeResponse),
            (.badServerResponse, "", false, .lostBeforeResponse),
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
    func `messages are read before codes`(
        code: URLError.Code, message: String, hasHead: Bool, failure: TransportFailure
    ) {
        let found = SessionFailure.classify(code: code, message: message, hasHead: hasHead)
        #expect(found == failure)
    }

    @Test(
        arguments: [
            (-1022, .unsupported), (-1012, .authentication), (-1013, .authentication), (-1100, .invalidRequest),
            (-1101, .invalidRequest), (-1102, .invalidRequest), (-1000, .invalidRequest), (-1007, .redirect),
            (-1010, .redirect), (-1008, .transport), (-995, .unsupported), (-996, .unsupported), (-2000, .transport),
            (-3000, .transport), (-3003, .transport), (-3006, .protocolViolation),
        ] as [(Int, NetworkErrorKind)])
    func `a code that only Apple's sessions have keeps its meaning, and the request is not sent again`(
        code: Int, kind: NetworkErrorKind
    ) throws {
        let cause = URLError(try #require(URLError.Code(rawValue: code) as URLError.Code?))
        for hasHead in [false, true] {
            let error = SessionFailure.error(cause, hasHead: hasHead)
            #expect(error.kind == kind)
            #expect((error.underlying as? URLError)?.errorCode == code)
            #expect(RetryPolicy().plan(after: error) == nil)
            #expect(!error.isTemporary(statuses: [503]))
        }
        let request = HTTPRequest(url: try "https://api.test/".url)
        #expect(NetworkError.transport(cause, request: request).kind == kind)
    }

    @Test func `a background task that lost its session is repeated as after a lost connection`() {
        let cause = URLError(.backgroundSessionWasDisconnected)
        #expect(SessionFailure.error(cause, hasHead: false).transportFailure == .lostBeforeResponse)
        #expect(SessionFailure.error(cause, hasHead: true).transportFailure == .lostMidBody)
    }

    @Test func `an address that App Transport Security blocks has a reason with the key to allow it`() {
        let cause = URLError(.appTransportSecurityRequiresSecureConnection)
        #expect(SessionFailure.error(cause, hasHead: false).reason.contains("NSAppTransportSecurity"))
    }

    @Test func `an address in the platform's message is not in the reason`() {
        #expect(!TransportFailure.connect.reason(message: "bad http://h/?token=s").contains("token"))
        #expect(TransportFailure.connect.reason(message: "Failed to connect").contains("Failed to connect"))
    }
}
