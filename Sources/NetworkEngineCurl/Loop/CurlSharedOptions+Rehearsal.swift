import CLibcurl
import NetworkEngine

extension CurlSharedOptions {
    /// Throws `.invalidRequest` if libcurl cannot load the policy's certificates and keys.
    ///
    /// libcurl itself checks them: it starts a handshake without a server for each host with specific security
    /// settings.
    func rehearse() throws(NetworkError) {
        for host in security.hostsToRehearse {
            if let fault = fault(of: host) { throw fault }
        }
    }

    private func fault(of host: String) -> NetworkError? {
        guard let easy = lc_easy_create() else { return .lacksDescriptors }
        let words = UnsafeMutablePointer<CChar>.allocate(capacity: LC_ERROR_SIZE)
        words.initialize(repeating: 0, count: LC_ERROR_SIZE)
        defer {
            lc_easy_destroy(easy)
            words.deallocate()
        }
        let unsupported = apply(to: easy, host: host, isForeign: false)
        if case .unsupported(let reason)? = unsupported { return .unsupported(reason) }
        var options = CurlOptionSetter(easy)
        options.set(LC_OPT_URL, "https://127.0.0.1/")
        options.set(LC_OPT_PROXY, "")
        _ = lc_set_pointer(easy, Int32(LC_OPT_ERRORBUFFER), words)
        let code = lc_rehearse(easy)
        if LCOpener().explains(code) { return .lacksDescriptors }
        let message = words[0] == 0 ? String(cString: lc_error_text(code)) : String(cString: words)
        return Self.subject(of: code, message).map { subject in
            NetworkError(
                kind: .invalidRequest, reason: "TLSPolicy: \(subject) cannot be used: \(message)",
                underlying: CurlError(code: code, message: message))
        }
    }

    /// What libcurl could not load; `nil` if it failed later, without a server.
    private static func subject(of code: Int32, _ message: String) -> String? {
        switch code {
        case 43 where message.contains(CurlFailure.keyFault): "the client certificate with its key"
        case 58: "the client certificate with its key"
        case 77: "the certificates of the authorities"
        case 53, 54, 59, 66, 82, 83: "the policy"
        default: nil
        }
    }
}
