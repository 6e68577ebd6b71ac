/// The cURL options that determine the request, and those that are ignored.
enum CURLOption: String, CaseIterable {
    case request, header, data, url, head, get, user, cookie, referer, json, form, compressed
    case dataRaw = "data-raw"
    case dataASCII = "data-ascii"
    case dataBinary = "data-binary"
    case dataURLEncode = "data-urlencode"
    case formString = "form-string"
    case userAgent = "user-agent"
    case maxTime = "max-time"
    case uploadFile = "upload-file"
    case bearer = "oauth2-bearer"
    /// An option for operation or output, without a value.
    case flag
    /// An option for operation or output, with a value.
    case setting

    var hasValue: Bool {
        switch self {
        case .head, .get, .compressed, .flag: false
        default: true
        }
    }

    init?(long name: String) {
        if Self.flags.contains(name) {
            self = .flag
        } else if Self.settings.contains(name) {
            self = .setting
        } else if let option = CURLOption(rawValue: name), option != .flag, option != .setting {
            self = option
        } else {
            return nil
        }
    }

    init?(short letter: Character) {
        guard let option = Self.letters[letter] else { return nil }
        self = option
    }

    private static let letters: [Character: CURLOption] = [
        "X": .request, "H": .header, "d": .data, "I": .head, "G": .get, "u": .user, "b": .cookie, "e": .referer,
        "A": .userAgent, "m": .maxTime, "T": .uploadFile, "F": .form,
        "s": .flag, "S": .flag, "v": .flag, "i": .flag, "L": .flag, "f": .flag, "g": .flag, "N": .flag, "#": .flag,
        "O": .flag, "J": .flag, "4": .flag, "6": .flag, "0": .flag, "n": .flag, "q": .flag,
        "o": .setting, "w": .setting, "c": .setting, "D": .setting,
    ]

    private static let flags: Set<String> = [
        "silent", "show-error", "verbose", "include", "location", "fail", "fail-with-body", "globoff", "no-buffer",
        "progress-bar", "no-progress-meter", "remote-name", "remote-header-name", "http1.0", "http1.1", "http2",
        "http2-prior-knowledge", "http3", "ipv4", "ipv6", "tcp-nodelay", "tcp-fastopen", "keepalive", "raw", "basic",
        "disable", "parallel", "styled-output", "path-as-is",
    ]
    private static let settings: Set<String> = [
        "output", "write-out", "cookie-jar", "dump-header", "connect-timeout", "max-redirs", "retry", "retry-delay",
        "retry-max-time", "keepalive-time", "limit-rate", "stderr", "trace", "trace-ascii",
    ]
}
