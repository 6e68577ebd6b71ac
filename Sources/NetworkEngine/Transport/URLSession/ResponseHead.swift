import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Status and headers of a response, with what they say about its body.
package struct ResponseHead: Hashable, Sendable {
    package let statusCode: Int
    package let headers: HTTPHeaders
    /// The bytes that must come, where the head says so and they come as they are.
    package let bodyLength: Int64?
    /// The rule that the head breaks.
    package let fault: String?
    /// The coding of the body, if the platform does not detect a truncated body in it.
    package let uncheckedCoding: String?

    package init(statusCode: Int, headers: HTTPHeaders, method: HTTPMethod = .get) {
        var headers = headers
        self.statusCode = statusCode
        let hasBody = method != .head && statusCode != 204 && statusCode != 304 && statusCode >= 200
        let lengths = Set(
            headers.values(for: "Content-Length").flatMap { $0.split(separator: ",") }.map { $0.trimmed }
        )
        fault = Self.fault(in: lengths)
        let codings = (headers["Content-Encoding"] ?? "").split(separator: ",").map { $0.trimmed.lowercased() }
            .filter { !["", "identity", "none"].contains($0) }
        let isCoded = hasBody && !codings.isEmpty
        uncheckedCoding = isCoded && lengths != ["0"] ? codings.first { !URLSession.checks(coding: $0) } : nil
        if isCoded {
            // The platform has undone the coding: what these two describe is gone.
            headers["Content-Encoding"] = nil
            headers["Content-Length"] = nil
            bodyLength = nil
        } else {
            bodyLength = hasBody && !headers.contains("Transfer-Encoding") ? lengths.first.flatMap(Int64.init) : nil
        }
        self.headers = headers
    }

    /// Whether this leads to another address.
    package var isRedirect: Bool {
        HTTPResponse.isRedirect(statusCode) && headers.values(for: "Location").contains { !$0.isEmpty }
    }

    /// The platform takes the last of several lengths, and one that it cannot count to for none (`linux.md` L12).
    private static func fault(in lengths: Set<String>) -> String? {
        if lengths.count > 1 { return "the response has several different Content-Length headers" }
        let isNumber = lengths.allSatisfy { length in
            length.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int64(length) != nil
        }
        return isNumber ? nil : "the response's Content-Length is not a number of bytes"
    }

    init(_ response: HTTPURLResponse, method: HTTPMethod) {
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
        fields.sort { $0.name < $1.name }
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
    /// The addresses of several `Location` fields that the platform has joined with commas.
    ///
    /// A comma and a blank may belong to one address, by a sloppy server, but hardly before another's beginning.
    package var splitLocations: [String] {
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

    /// The cookies of a `Set-Cookie` that the platform has joined with commas (`linux.md` 8).
    ///
    /// A comma separates two cookies when a name and `=` follow it. The one inside a date is followed by a day.
    package var splitCookies: [String] {
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
