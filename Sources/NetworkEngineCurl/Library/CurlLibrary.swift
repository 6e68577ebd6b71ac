import CLibcurl
import NetworkEngine

/// This process's libcurl.
struct CurlLibrary: Sendable {
    /// The version as 0xXXYYZZ.
    let number: UInt32
    let version: String
    let features: Int32

    /// The library, loaded once, or the error that explains why it cannot be used.
    static let shared = Result { () throws(NetworkError) in try CurlLibrary(lc_load()) }

    /// Creates the library from its loading result.
    init(_ loading: LCLoading) throws(NetworkError) {
        version = String(cString: lc_version())
        number = lc_version_number()
        features = lc_features()
        if let fault = Self.fault(of: loading, version: version) { throw .unsupported(fault) }
    }

    /// Why libcurl cannot be used; `nil` if it can.
    static func fault(of loading: LCLoading, version: String) -> String? {
        switch loading {
        case LC_LOADED: nil
        case LC_ABSENT: "CurlTransport needs libcurl, and there is no libcurl.so.4 here"
        case LC_TOO_OLD: "CurlTransport needs libcurl 7.68 or newer, and this is \(version)"
        default: "libcurl \(version) lacks functions that CurlTransport needs"
        }
    }

    func has(_ feature: Int) -> Bool { Int(features) & feature != 0 }

    /// Whether a callback announces that a request is about to be sent (7.80).
    var announcesRequests: Bool { number >= 0x07_50_00 }
    /// Whether addresses can be passed without being kept forever (7.75).
    var keepsResolutionsForATime: Bool { number >= 0x07_4B_00 }
    /// Whether CA certificates can be passed in memory (7.77).
    var takesAuthoritiesInMemory: Bool { number >= 0x07_4D_00 }
    /// Whether protocols are set by name (7.85).
    var namesProtocols: Bool { number >= 0x07_55_00 }
    /// Whether a handle can be used for several exchanges. From 7.84.0 to 8.0.1 a handle keeps a pointer to the last
    /// field of a response, and uses it if the first field of the next response is folded:
    /// https://github.com/curl/curl/issues/11101
    var reusesHandles: Bool { !(0x07_54_00...0x08_00_01).contains(number) || guardsFirstField }
    /// Whether to hide the first field of a response from libcurl if it is folded, because of that bug. Only tested for
    /// 7.88.
    var guardsFirstField: Bool { (0x07_58_00...0x07_58_FF).contains(number) }
    /// Whether its messages about a GET can be missed until the GET is sent: an unnoticed refusal is an error without a
    /// text. Only tested for 7.88.
    var reportsRefusalsByError: Bool { (0x07_58_00...0x07_58_FF).contains(number) }
    /// Whether a connection without a transfer is closed with its handle (7.86):
    /// https://github.com/curl/curl/issues/9335
    var closesSockets: Bool { number >= 0x07_56_00 }
    /// Whether a transfer can abandon a running name resolution (7.87).
    var leavesResolutions: Bool { number >= 0x07_57_00 }
    /// Whether each refused stream is reported to its own transfer (8.20). Older versions report only what the server
    /// announces for the connection, to one of its transfers.
    var reportsRefusals: Bool { number >= 0x08_14_00 }
    /// Why HTTP/3 cannot be used; `nil` if it can. Tested from 8.20 on.
    var faultOfHTTP3: String? {
        if !has(LC_FEATURE_HTTP3) { return "this libcurl, \(version), was built without HTTP/3" }
        return number >= 0x08_14_00 ? nil : "HTTP/3 needs libcurl 8.20 or newer, and this is \(version)"
    }
    /// Whether a streamed request body is sent correctly over HTTP/2 (8.7).
    var streamsByHTTP2: Bool { number >= 0x08_07_00 }
}
