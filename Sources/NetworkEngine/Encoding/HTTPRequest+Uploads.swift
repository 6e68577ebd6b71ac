import Foundation

extension HTTPRequest {
    /// Returns the request with a form as its body.
    func adding(
        multipart parts: [MultipartFormData],
        jsonEncoder: JSONEncoder
    ) throws(NetworkError) -> HTTPRequest {
        try adding(form: MultipartEncoder(jsonEncoder: jsonEncoder).encode(parts))
    }

    /// Returns the request with a form as its body.
    ///
    /// The request's own content type is kept only if it is a multipart type. The body's boundary is added to it,
    /// because no server could parse the form otherwise.
    package func adding(form: MultipartEncoder.Body) throws(NetworkError) -> HTTPRequest {
        var request = try adding(body: form.content, contentType: form.contentType)
        if let type = headers["Content-Type"] {
            request.headers["Content-Type"] = form.contentType(keeping: type) ?? form.contentType
        }
        return request
    }

    /// Returns the request with a file as its body.
    ///
    /// Throws `.invalidRequest` if the file cannot be read.
    func adding(file: URL) throws(NetworkError) -> HTTPRequest {
        guard BodyFile.length(of: file) != nil else {
            let reason = "the file to upload, \(file.path), does not exist, is not a file or is not readable"
            throw NetworkError(kind: .invalidRequest, reason: reason, request: self)
        }
        return try adding(body: .file(file), contentType: MediaType.forFile(named: file.lastPathComponent))
    }
}

extension MultipartEncoder.Body {
    /// A multipart type with its parameters and this body's boundary; `nil` for any other type.
    fileprivate func contentType(keeping type: String) -> String? {
        guard let parts = Self.parts(of: type), let name = parts.first else { return nil }
        let names = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard names.count == 2, names[0].equalsIgnoringASCIICase("multipart"), names[1].isToken else { return nil }
        let parameters = parts.dropFirst().filter { parameter in
            let name = Array(parameter.prefix { $0 != "=" }.utf8)[...].trimmingBlanks
            return !name.isEmpty && !String(decoding: name, as: UTF8.self).equalsIgnoringASCIICase("boundary")
        }
        return ([name] + parameters + ["boundary=\(boundary)"]).joined(separator: "; ")
    }

    /// The type and the parameters of a field, separated by semicolons; `nil` for an unterminated quotation.
    private static func parts(of field: String) -> [String]? {
        var rest = Array(field.utf8)[...]
        var parts: [String] = []
        while true {
            let start = rest
            while let byte = rest.first, byte != UInt8(ascii: ";") {
                guard byte == UInt8(ascii: "\"") else {
                    rest.removeFirst()
                    continue
                }
                guard rest.removeQuotedString().isClosed else { return nil }
            }
            parts.append(String(decoding: start[..<rest.startIndex].trimmingBlanks, as: UTF8.self))
            if rest.popFirst() == nil { return parts }
        }
    }
}
