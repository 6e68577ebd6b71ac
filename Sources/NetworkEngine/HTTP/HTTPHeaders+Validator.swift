extension HTTPHeaders {
    /// What stands for exactly these bytes: a strong `ETag`, else a `Last-Modified` old enough to be taken for one
    /// (RFC 9110 8.8.2.2).
    package var strongValidator: String? {
        if let tag = self["ETag"] { return tag.isStrongTag && tag.isFieldValue ? tag : nil }
        guard let text = self["Last-Modified"], let modified = HTTPDate.seconds(text),
            let date = self["Date"].flatMap(HTTPDate.seconds), date - modified >= 60
        else { return nil }
        return text
    }
}

extension String {
    /// Whether this is an entity tag, and not a weak one.
    package var isStrongTag: Bool { utf8.count >= 2 && hasPrefix("\"") && hasSuffix("\"") }
}
