#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

extension ResponseHead {
    /// The head of a response with a body that the platform has decoded, if it was encoded.
    package init(statusCode: Int, headers: HTTPHeaders, method: HTTPMethod = .get) {
        var headers = headers
        let hasBody = Self.hasBody(statusCode: statusCode, method: method)
        let lengths = Set(
            headers.values(for: "Content-Length").flatMap { $0.split(separator: ",") }.map { $0.trimmed }
        )
        let codings = (headers["Content-Encoding"] ?? "").split(separator: ",").map { $0.trimmed.lowercased() }
            .filter { !["", "identity", "none"].contains($0) }
        let isCoded = hasBody && !codings.isEmpty
        let unchecked = isCoded && lengths != ["0"] ? codings.first { !URLSession.checks(coding: $0) } : nil
        if isCoded {
            // These two describe the encoded body.
            headers["Content-Encoding"] = nil
            headers["Content-Length"] = nil
        }
        let isMeasured = hasBody && !isCoded && !headers.contains("Transfer-Encoding")
        self.init(
            statusCode: statusCode,
            fields: .headers(headers),
            hasBody: hasBody,
            bodyLength: isMeasured ? lengths.first.flatMap(Int64.init) : nil,
            isRedirect: HTTPResponse.isRedirect(statusCode)
                && headers.values(for: "Location").contains { !$0.isEmpty },
            fault: Self.fault(in: lengths),
            codingFault: unchecked.map { coding in
                "URLSession on Linux cannot tell whether a body in the content coding "
                    + "\(coding.prefix(20).debugDescription) is whole"
            },
            decodedCodings: isCoded ? codings : []
        )
    }

    /// Rejects lengths that the platform misreads: it uses the last of several lengths, and ignores one that is too
    /// large.
    private static func fault(in lengths: Set<String>) -> String? {
        if lengths.count > 1 { return "the response has several different Content-Length headers" }
        let isNumber = lengths.allSatisfy { length in
            length.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int64(length) != nil
        }
        return isNumber ? nil : "the response's Content-Length is not a number of bytes"
    }

    package init(_ response: HTTPURLResponse, method: HTTPMethod) {
        var fields: [HTTPHeaders.Field] = []
        fields.reserveCapacity(response.allHeaderFields.count)
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, let value = value as? String else { continue }
            let values =
                switch name.lowercased() {
                case "set-cookie": value.splitCookies
                case "location": value.splitLocations
                default: [value]
                }
            for value in values { fields.append(HTTPHeaders.Field(name: name, value: value.receivedFieldValue)) }
        }
        fields = fields.sorted(byText: { $0.name })
        self.init(statusCode: response.statusCode, headers: HTTPHeaders(fields), method: method)
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var rest = drop { $0 == " " || $0 == "\t" }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return String(rest)
    }
}

extension String {
    /// The URLs of several `Location` fields that the platform has joined with commas.
    ///
    /// A comma and a blank can be part of one malformed URL, but are unlikely before the start of another URL.
    var splitLocations: [String] {
        var locations: [String] = []
        for piece in split(separator: ", ", omittingEmptySubsequences: false) {
            if locations.isEmpty || piece.hasPrefix("/") || piece.lowercased().hasPrefix("http") {
                locations.append(String(piece))
            } else {
                locations[locations.count - 1] += ", " + piece
            }
        }
        return locations
    }

    /// The cookies of a `Set-Cookie` that the platform has joined with commas.
    ///
    /// A comma separates two cookies if it is followed by a name and `=`. The comma inside a date is followed by a day.
    var splitCookies: [String] {
        var cookies: [String] = []
        for piece in split(separator: ",", omittingEmptySubsequences: false) {
            let name = piece.prefix { $0 != "=" }.trimmed
            let isCookie = name.count < piece.count && piece.contains("=") && name.isToken
            if isCookie || cookies.isEmpty {
                cookies.append(String(piece))
            } else {
                cookies[cookies.count - 1] += "," + piece
            }
        }
        return cookies.map { Substring($0).trimmed }
    }
}
