import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl

@Suite(.timeLimit(.minutes(5))) struct CurlFailureTests {
    /// Codes that never end an HTTP exchange: other protocols, retired numbers, and programming errors.
    static let foreign: [Int32] =
        [2, 3, 4, 9, 10, 11, 12, 13, 14, 15, 17, 19, 20, 21, 22, 24, 25, 29, 30, 31, 32, 34, 36, 37, 38, 39, 40]
        + [41, 44, 46, 47, 48, 49, 50, 51, 57, 62, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 78, 79, 81, 84, 85]
        + [86, 87, 88, 93, 94, 99, 101, 102, 1_000]

    static let known: [(Int32, TransportFailure)] = [
        (1, .protocolViolation), (5, .dns), (6, .dns), (7, .connect), (8, .protocolViolation),
        (16, .protocolViolation), (18, .lostBeforeResponse), (23, .protocolViolation), (26, .requestBody),
        (27, .limitExceeded), (43, .protocolViolation), (28, .timeout(.connect)), (33, .protocolViolation), (35, .tls),
        (42, .lostBeforeResponse), (45, .connect),
        (52, .lostBeforeResponse), (53, .tls), (54, .tls), (55, .lostBeforeResponse), (56, .lostBeforeResponse),
        (58, .tls), (59, .tls), (60, .tlsCertificate(.unknown)), (61, .contentCoding), (63, .limitExceeded),
        (64, .tls), (65, .lostBeforeResponse), (66, .tls), (77, .tls), (80, .lostBeforeResponse), (82, .tls),
        (83, .tlsCertificate(.untrusted)), (89, .connect), (90, .tlsCertificate(.pinMismatch)),
        (91, .tlsCertificate(.unknown)), (92, .lostBeforeResponse), (95, .lostBeforeResponse), (96, .connect),
        (97, .connect), (98, .tlsCertificate(.clientCertificateRequired)), (100, .limitExceeded),
    ]

    @Test(arguments: known) func `an error code names the phase that broke`(code: Int32, failure: TransportFailure) {
        #expect(CurlFailure.classify(code: code) == failure)
    }

    @Test(arguments: foreign) func `an unexpected code is an unknown failure`(code: Int32) {
        #expect(CurlFailure.classify(code: code) == .unknown)
    }

    @Test func `every code from 1 to 101 is in one of the tables`() {
        #expect(Set(Self.known.map(\.0) + Self.foreign).isSuperset(of: 1...101))
        #expect(Set(Self.known.map(\.0)).isDisjoint(with: Self.foreign))
    }

    @Test(arguments: [18, 52, 55, 56, 65, 92, 95] as [Int32])
    func `a connection that is lost after a head is lost inside the body`(code: Int32) {
        #expect(CurlFailure.classify(code: code, hasHead: true) == .lostMidBody)
    }

    @Test(
        arguments: [
            (9, .notYetValid), (10, .expired), (18, .selfSigned), (19, .selfSigned), (20, .untrusted), (21, .untrusted),
            (62, .wrongHost),
        ] as [(Int, TransportFailure.CertificateProblem)])
    func `the problems of certificates are distinguished`(
        result: Int,
        problem: TransportFailure.CertificateProblem
    ) {
        #expect(CurlFailure.classify(code: 60, certificate: result) == .tlsCertificate(problem))
    }

    @Test(
        arguments: [
            (
                60, "SSL: no alternative certificate subject name matches target host name 'x'",
                .tlsCertificate(.wrongHost)
            ),
            (56, "tlsv13 alert certificate required, errno 0", .tlsCertificate(.clientCertificateRequired)),
            (56, "Illegal or missing hexadecimal sequence in chunked-encoding", .protocolViolation),
            (56, "Recv failure: Connection reset by peer", .lostBeforeResponse),
            (56, "Too large response headers: 307671 > 307200", .limitExceeded),
            (100, "Too many response headers, 5000 is max", .limitExceeded),
            (56, "Too many response headers, 5000 is max", .limitExceeded),
            (
                56, "nghttp2 recv error -905: Too many CONTINUATION frames following a HEADER frame", .limitExceeded
            ),
            (
                56,
                "h2_process_pending_input: nghttp2_session_mem_recv() returned -902:The user callback function failed",
                .limitExceeded
            ),
            (16, "Send failure: Broken pipe", .lostBeforeResponse),
            (16, "Recv failure: Connection reset by peer", .lostBeforeResponse),
            // The result from 7.88 for a GOAWAY before the response.
            (16, "Error in the HTTP2 framing layer", .lostBeforeResponse),
            (16, "nghttp2 shuts down connection with error 9: COMPRESSION_ERROR", .protocolViolation),
            (56, "HTTP/2 stream 1 refused by server, try again on a new connection", .connect),
            (92, "HTTP/2 stream 3 was not closed cleanly: REFUSED_STREAM (err 7)", .connect),
            (92, "HTTP/2 stream 1 reset by server (error 0x7 REFUSED_STREAM)", .connect),
            (42, "REFUSED_STREAM, retrying a fresh connect", .connect),
            (92, "HTTP/2 stream 1 reset by curl (error 0xb ENHANCE_YOUR_CALM)", .lostBeforeResponse),
            (55, "Failed to connect to 127.0.0.1:1 after 0 ms: Could not connect to server", .connect),
            (28, "Failed to connect to 127.0.0.1:1 after 102 ms: Could not connect to server", .connect),
            (28, "Connection timed out after 1501 milliseconds", .timeout(.connect)),
            (43, "unable to set private key file: 'client.key' type PEM", .tls),
            (43, "Weird server reply", .protocolViolation),
        ] as [(Int32, String, TransportFailure)])
    func `libcurl's messages distinguish failures with one code`(code: Int32, words: String, failure: TransportFailure)
    {
        #expect(CurlFailure.classify(code: code, message: words) == failure)
    }

    @Test(arguments: [6, 7, 28, 35, 97] as [Int32])
    func `a new connection that fails after the request was sent is a lost one`(code: Int32) {
        #expect(CurlFailure.classify(code: code, wasSent: true) == .lostBeforeResponse)
        let words = "HTTP/2 stream 1 refused by server, try again on a new connection"
        #expect(CurlFailure.classify(code: 56, message: words, wasSent: true) == .connect)
    }

    @Test(
        arguments: [
            (16, "Error in the HTTP2 framing layer"),
            (92, "HTTP/2 stream 1 reset by server (error 0x7 REFUSED_STREAM)"),
        ] as [(Int32, String)])
    func `a stream that is refused after its head counts as possibly processed`(code: Int32, words: String) {
        #expect(CurlFailure.classify(code: code, message: words, hasHead: true) == .lostMidBody)
    }
}
