import CLibcurl
import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl

@Suite(.timeLimit(.minutes(5))) struct CurlLibraryTests {
    @Test(arguments: [
        (LC_ABSENT, "no libcurl.so.4"), (LC_TOO_OLD, "7.68 or newer, and this is 7.50.0"), (LC_UNUSABLE, "lacks"),
    ])
    func `an error explains why libcurl is unavailable`(loading: LCLoading, words: String) throws {
        let fault = try #require(CurlLibrary.fault(of: loading, version: "7.50.0"))
        #expect(fault.contains(words))
        #expect(CurlLibrary.fault(of: LC_LOADED, version: "8.0.0") == nil)
    }

    @Test(.needsCurl) func `the version is one that is supported`() throws {
        let library = try CurlLibrary.shared.get()
        #expect(library.number >= 0x07_44_00)
        #expect(library.version.contains("."))
        guard let certificates = Certificates.shared else { return }
        var configuration = CurlConfiguration()
        // A libcurl from another system may look for the CA certificates in the wrong place.
        configuration.tls.authorities = .file(certificates.authority)
        try CurlTransport(configuration: configuration).validate()
    }

    @Test func `without libcurl a request fails before I/O`() async throws {
        guard !CurlTransport.isAvailable else { return }
        #expect(throws: NetworkError.self) { try CurlTransport().validate() }
    }

    @Test func `a provider reports an unavailable libcurl transport`() throws {
        struct Target: TargetType {
            var baseURL: URL { URL(filePath: "/") }
            var path: String { "" }
            var method: HTTPMethod { .get }
            var task: NetworkTask { .requestPlain }
        }
        var transport = CurlConfiguration()
        transport.userAgent = "a\r\nb"
        var configuration = NetworkConfiguration()
        configuration.transport = CurlTransport(configuration: transport)
        let provider = NetworkProvider<Target>(configuration: configuration)
        #expect(throws: NetworkError.self) { try provider.validate() }
    }
}
