import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineDigest

/// Digest challenges and their answers as values, with the examples of RFC 7616.
@Suite(.timeLimit(.minutes(5))) struct DigestAnswerTests {
    private func challenge(_ fields: String...) throws -> DigestChallenge {
        try #require(
            DigestChallenge.strongest(in: HTTPHeaders(fields.map { .init(name: "WWW-Authenticate", value: $0) })))
    }

    private func answer(
        to challenge: DigestChallenge,
        username: String = "Mufasa",
        password: String = "Circle of Life",
        uri: String = "/dir/index.html",
        count: UInt32 = 1,
        clientNonce: String = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
        bodyDigest: String? = nil
    ) -> DigestAnswer {
        DigestAnswer(
            to: challenge,
            as: Account(username: username, password: password),
            session: DigestSession(nonce: challenge.nonce, clientNonce: clientNonce),
            method: "GET",
            uri: uri,
            count: count,
            clientNonce: clientNonce,
            bodyDigest: bodyDigest
        )
    }

    private static func example(_ algorithm: String) -> String {
        """
        Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\(algorithm), \
        nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
        """
    }

    private static func expected(_ algorithm: String, _ response: String) -> String {
        """
        Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", algorithm=\(algorithm), \
        nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nc=00000001, \
        cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", qop=auth, response="\(response)", \
        opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
        """
    }

    @Test(arguments: [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ])
    func `the answers of RFC 7616, 3.9.1 are right`(algorithm: String, response: String) throws {
        let answer = answer(to: try challenge(Self.example(algorithm)))
        #expect(answer.header == Self.expected(algorithm, response))
    }

    /// The values from erratum 4897: those in the RFC use another algorithm.
    @Test func `the answer of RFC 7616, 3.9.2 is right`() throws {
        let challenge = try challenge(
            """
            Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, \
            nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", \
            opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true
            """)
        let answer = answer(
            to: challenge, username: "J\u{E4}s\u{F8}n Doe", password: "Secret, or not?", uri: "/doe.json",
            clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v")
        #expect(
            answer.header == """
                Digest username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b", \
                realm="api@example.org", uri="/doe.json", algorithm=SHA-512-256, \
                nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", nc=00000001, \
                cnonce="NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v", qop=auth, \
                response="3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5", \
                opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", userhash=true
                """)
    }

    @Test func `a server of RFC 2069 gets an answer without count and client nonce`() throws {
        let answer = answer(
            to: try challenge(#"Digest realm="r", nonce="n""#), username: "u", password: "p", uri: "/")
        let response = MD5.hexadecimal(
            of: MD5.hexadecimal(of: "u:r:p") + ":n:" + MD5.hexadecimal(of: "GET:/"))
        #expect(answer.header == #"Digest username="u", realm="r", uri="/", nonce="n", response="\#(response)""#)
    }

    @Test func `an answer with auth-int depends on the body`() throws {
        let challenge = try challenge(#"Digest realm="r", nonce="n", qop=auth-int, algorithm=SHA-256"#)
        let answers = ["1", "2"].map { answer(to: challenge, bodyDigest: $0).header }
        #expect(answers.allSatisfy { $0.contains("qop=auth-int") } && Set(answers).count == 2)
        #expect(answer(to: challenge, bodyDigest: "1").serverProof == nil)
    }

    @Test func `a session's secret is made from the first nonces`() throws {
        let challenge = try challenge(#"Digest realm="r", nonce="n", qop="auth", algorithm=MD5-sess"#)
        let answer = answer(to: challenge, username: "u", password: "p", uri: "/", count: 16, clientNonce: "c")
        let key = MD5.hexadecimal(of: MD5.hexadecimal(of: "u:r:p") + ":n:c")
        let response = MD5.hexadecimal(of: key + ":n:00000010:c:auth:" + MD5.hexadecimal(of: "GET:/"))
        #expect(
            answer.header == """
                Digest username="u", realm="r", uri="/", algorithm=MD5-sess, nonce="n", nc=00000010, cnonce="c", \
                qop=auth, response="\(response)"
                """)
    }

    @Test func `quotes and backslashes are escaped in quoted strings`() throws {
        let challenge = try challenge(#"Digest realm="a\"b\\c", nonce="n", opaque="o\"""#)
        let header = answer(to: challenge, username: #"u"\"#, password: "p", uri: "/").header
        #expect(header.contains(#"username="u\"\\", realm="a\"b\\c""#) && header.hasSuffix(#"opaque="o\"""#))
        let response = MD5.hexadecimal(
            of: MD5.hexadecimal(of: #"u"\:a"b\c:p"#) + ":n:" + MD5.hexadecimal(of: "GET:/"))
        #expect(header.contains("response=\"\(response)\""))
    }

    @Test(arguments: [
        (", charset=UTF-8", "username*=UTF-8''J%C3%A4s%C3%B8n%20Doe,"), ("", "username=\"J\u{E4}s\u{F8}n Doe\","),
    ])
    func `a user name that is not ASCII is encoded if the server says how`(parameter: String, expected: String) throws {
        // A decomposed letter is sent in its composed form.
        let challenge = try challenge(#"Digest realm="r", nonce="n""# + parameter)
        #expect(answer(to: challenge, username: "Ja\u{308}s\u{F8}n Doe").header.contains(expected))
    }

    @Test func `the strongest algorithm of several challenges is chosen`() throws {
        let fields = [Self.example("MD5"), Self.example("SHA-256"), "Basic realm=x"]
        #expect(try challenge(fields.joined(separator: ", ")).algorithm.hash == .sha256)
        #expect(try challenge(Self.example("SHA-512-256"), Self.example("MD5")).algorithm.hash == .sha512Half)
        #expect(try challenge(Self.example("sha-256-SESS"), Self.example("SHA-256")).algorithm.isSession)
    }

    @Test(arguments: [
        #"Digest realm="r", nonce="n", algorithm=SHA-1"#, #"Digest realm="r", nonce="n", qop="auth-conf""#,
        #"Digest nonce="n""#, #"Digest realm="r""#, #"Basic realm="r""#, #"Digest realm="r", nonce="n"#,
    ])
    func `a challenge that cannot be answered is ignored`(field: String) {
        #expect(DigestChallenge.strongest(in: ["WWW-Authenticate": field]) == nil)
    }

    @Test(arguments: [
        ("http://a.test", "/"), ("http://a.test?x=1", "/?x=1"), ("http://a.test/a/../b/./c?d=/../e#f", "/b/c?d=/../e"),
        ("http://a.test/%7Eada//x?", "/%7Eada//x?"),
    ])
    func `the request target is the path and query as they are sent`(address: String, target: String) throws {
        #expect(HTTPRequest(url: try #require(URL(string: address))).requestTarget == target)
    }
}
