extension String {
    /// An address or a reference with everything that RFC 3986 forbids as `%XX`; valid escapes stay byte for byte.
    ///
    /// Foundation escapes too, but escapes every `%` again where one character is forbidden.
    package var escapedReference: String {
        let parts = AddressText(self)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count + 16)
        bytes += parts.start.utf8
        if let userinfo = parts.userinfo {
            bytes.append(escaping: Array(userinfo.utf8)[...], keeping: .path)
            bytes.append(UInt8(ascii: "@"))
        }
        bytes.append(escaping: Array(parts.host.utf8)[...], keeping: .host)
        bytes.append(escaping: Array(parts.path.utf8)[...], keeping: .path)
        for (mark, part) in [(UInt8(ascii: "?"), parts.query), (UInt8(ascii: "#"), parts.fragment)] {
            guard let part else { continue }
            bytes.append(mark)
            bytes.append(escaping: Array(part.utf8)[...], keeping: .query)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
