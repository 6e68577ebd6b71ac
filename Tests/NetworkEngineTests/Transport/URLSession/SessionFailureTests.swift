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

    @Test func `an address in the platform's message is not in the reason`() {
        #expect(!TransportFailure.connect.reason(message: "bad http://h/?token=s").contains("token"))
        #expect(TransportFailure.connect.reason(message: "Failed to connect").contains("Failed to connect"))
    }
}
