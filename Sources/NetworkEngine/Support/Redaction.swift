/// The redaction rules: which names have secret values.
package enum Redaction {
    /// The text that replaces a secret.
    package static let placeholder = "<redacted>"
    /// The text that replaces a secret in a URL.
    package static let placeholderInAddress = "%3Credacted%3E"

    /// Whether a header with this name contains a secret.
    package static func isSecret(header name: String) -> Bool {
        let lowercased = name.lowercased()
        if harmlessHeaders.contains(lowercased) { return false }
        let name = lowercased.plainName
        if isCursor(name) { return false }
        return secretHeaders.contains(name) || name.hasPrefix("xauth") || name.hasSuffix("key") || hasSecretWord(name)
            || lowercased.split(separator: "-").contains { secretHeaderParts.contains(String($0)) }
    }

    /// Whether a query item, form field or JSON member with this name contains a secret.
    package static func isSecret(parameter name: String) -> Bool {
        let name = name.plainName
        if isCursor(name) { return false }
        return secretParameters.contains(name) || name.hasPrefix("xauth") || hasSecretWord(name)
    }

    /// Whether a name only refers to a kind of secret: `password`, `api_key`.
    package static func isWordForSecret(_ name: String) -> Bool {
        let name = name.plainName
        return secretParameters.contains(name) || secretWords.contains { $0.elementsEqual(name.utf8) }
    }

    /// Whether a plain name refers to a position in a list, which does not identify the caller.
    private static func isCursor(_ name: String) -> Bool {
        guard name.hasSuffix("token") else { return false }
        return cursors.contains(name) || (name.hasPrefix("x") && cursors.contains(String(name.dropFirst())))
    }

    /// Whether a query item with this name is known to be harmless: paging, sorting, formats.
    ///
    /// The values of all other query items are redacted, because a list of secret names is never complete.
    package static func isHarmless(parameter name: String) -> Bool {
        harmlessParameters.contains(name.plainName)
    }

    /// Whether a request header with this name is known to be harmless: it does not identify the caller.
    ///
    /// Conditions are harmless and necessary: without `If-Range`, a `Range` could mix two versions of a file, and
    /// without `If-Match`, a write could overwrite a newer version.
    package static func isHarmless(header name: String) -> Bool {
        let name = name.lowercased()
        if harmlessRequestHeaders.contains(name) { return true }
        return (name.hasPrefix("accept") || isAboutBody(header: name)) && !isSecret(header: name)
    }

    /// Whether a header describes the body of its message.
    static func isAboutBody(header name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix("content-") || ["expect", "digest", "repr-digest"].contains(name)
    }

    /// Compares bytes, because searching a string costs many times as much on Linux.
    private static func hasSecretWord(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { name in
            name.indices.contains { start in
                secretWordsByInitial[Int(name[start])].contains { name[start...].starts(with: $0) }
            }
        }
    }

    private static let secretHeaders: Set<String> = [
        "authentication", "authenticationinfo", "proxyauthenticationinfo", "ticket", "dpop", "secwebsocketprotocol",
        "xforwardedclientcert",
    ]
    /// Words that are too short to search for inside other words.
    private static let secretHeaderParts: Set<String> = [
        "auth", "bearer", "otp", "totp", "pin", "pwd", "pass", "sid", "sig", "sas", "ticket", "assertion", "mfa", "2fa",
        "verification", "cred", "creds",
    ]
    /// Names that end in `key` and identify an operation or a cache entry.
    private static let harmlessHeaders: Set<String> = [
        "idempotency-key", "x-idempotency-key", "sec-websocket-key", "surrogate-key", "cache-key", "x-cache-key",
    ]
    private static let secretParameters: Set<String> = [
        "code", "sig", "sas", "key", "auth", "bearer", "pwd", "pass", "pin", "otp", "totp", "sid", "assertion",
        "clientassertion", "ticket", "codeverifier", "devicecode", "usercode", "samlresponse", "samlrequest", "samlart",
        "relaystate", "pw", "cvv", "cvv2", "cvc", "iban", "ssn", "mfa", "2fa", "otpcode", "cred", "creds", "seedphrase",
    ]
    /// Paging terms that end in `token`.
    private static let cursors: Set<String> = [
        "pagetoken", "nextpagetoken", "previouspagetoken", "prevpagetoken", "currentpagetoken", "pagingtoken",
        "paginationtoken", "nextpaginationtoken", "nexttoken", "previoustoken", "prevtoken", "startingtoken",
        "continuationtoken", "nextcontinuationtoken", "cursortoken", "nextcursortoken", "skiptoken", "nextskiptoken",
        "deltatoken", "synctoken", "nextsynctoken", "resumptiontoken", "scrolltoken",
    ]
    private static let secretWords: [[UInt8]] = [
        "token", "secret", "password", "passwd", "passphrase", "passcode", "credential", "signature", "session",
        "authorization", "cookie", "csrf", "xsrf", "hmac", "jwt", "apikey", "accesskey", "privatekey", "masterkey",
        "subscriptionkey", "functionskey", "functionkey", "saskey", "sharedkey", "accountkey", "signingkey",
        "encryptionkey", "authkey", "mfacode", "2facode", "verificationcode", "recoverycode", "backupcode", "mnemonic",
        "passkey", "cardnumber",
    ].map { Array($0.utf8) }
    /// The words by their first byte.
    private static let secretWordsByInitial = (UInt8.min...UInt8.max).map { byte in
        secretWords.filter { $0.first == byte }
    }
    private static let harmlessRequestHeaders: Set<String> = [
        "user-agent", "range", "if-range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since",
        "cache-control", "pragma", "traceparent", "tracestate", "priority", "prefer", "dnt", "sec-gpc", "save-data",
        "te",
        "upgrade-insecure-requests", "want-digest", "want-content-digest", "want-repr-digest", "last-event-id",
    ]
    private static let harmlessParameters: Set<String> = [
        "page", "pages", "perpage", "pagesize", "pagenumber", "limit", "offset", "skip", "take", "top", "size", "count",
        "sort", "sortby", "sortorder", "order", "orderby", "direction", "dir", "lang", "language", "locale", "region",
        "country", "currency", "timezone", "tz", "format", "type", "kind", "version", "v", "apiversion", "fields",
        "include", "expand", "embed", "select", "view", "mode", "operationname", "width", "height", "w", "h", "zoom",
        "dpr", "quality", "year", "month", "day", "week", "date", "from", "to", "since", "until",
    ]
}

extension String {
    /// The lowercase letters and digits of a name, so that `api_key`, `api-key` and `user[apiKey]` contain the same
    /// word.
    fileprivate var plainName: String {
        var name = self
        let plain: String? = name.withUTF8 { bytes in
            if bytes.contains(where: { $0 >= 0x80 }) { return nil }
            return String(unsafeUninitializedCapacity: bytes.count) { plain in
                var count = 0
                for byte in bytes {
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                        plain[count] = byte
                    // Setting bit 5 makes an ASCII letter lowercase.
                    case UInt8(ascii: "A")...UInt8(ascii: "Z"): plain[count] = byte | 0x20
                    default: continue
                    }
                    count += 1
                }
                return count
            }
        }
        return plain ?? plainUnicodeName
    }

    private var plainUnicodeName: String {
        let scalars = lowercased().unicodeScalars
        return String(
            String.UnicodeScalarView(scalars.filter { $0.properties.isAlphabetic || ("0"..."9").contains($0) }))
    }
}
