import Foundation
public import NetworkEngine

/// The options of a cURL command.
struct CURLCommand {
    private var method: String?
    private var address: String?
    private var headers: HTTPHeaders = [:]
    /// Headers set by other options. `-H` headers replace them.
    private var optionHeaders: HTTPHeaders = [:]
    /// The lowercase names of headers that `-H` removes.
    private var removedHeaders: Set<String> = []
    private var data: [Data] = []
    private var file: URL?
    /// The last path component of an uploaded file.
    private var uploadName: String?
    private var parts: [MultipartFormData] = []
    private var isJSON = false
    private var isHead = false
    private var sendsDataAsQuery = false
    private var undoesCoding = false
    private var timeout: Duration?
    /// Whether the command removes the content type that cURL adds.
    private var hasNoContentType = false

    init(_ words: [String]) throws(NetworkError) {
        guard let program = words.first, program == "curl" || program.hasSuffix("/curl") else {
            throw .curl("does not begin with curl")
        }
        var rest = words.dropFirst()
        while let word = rest.popFirst() {
            if word == "--" {
                for address in rest { try set(.url, address) }
                return
            } else if word.hasPrefix("--") {
                try take(long: String(word.dropFirst(2)), &rest)
            } else if word.hasPrefix("-"), word.count > 1 {
                try take(short: word.dropFirst(), &rest)
            } else {
                try set(.url, word)
            }
        }
    }

    private mutating func take(long name: String, _ rest: inout ArraySlice<String>) throws(NetworkError) {
        guard let option = CURLOption(long: name) else {
            throw .curl("has --\(name), which is not supported", kind: .unsupported)
        }
        guard option.hasValue else { return try set(option, "") }
        guard let value = rest.popFirst() else { throw .curl("ends after --\(name)") }
        try set(option, value)
    }

    /// Reads combined letters. The last one can have a value, in the same word or in the next.
    private mutating func take(short letters: Substring, _ rest: inout ArraySlice<String>) throws(NetworkError) {
        var letters = letters
        while let letter = letters.popFirst() {
            guard let option = CURLOption(short: letter) else {
                throw .curl("has -\(letter), which is not supported", kind: .unsupported)
            }
            guard option.hasValue else {
                try set(option, "")
                continue
            }
            if !letters.isEmpty { return try set(option, String(letters)) }
            guard let value = rest.popFirst() else { throw .curl("ends after -\(letter)") }
            return try set(option, value)
        }
    }

    private mutating func set(_ option: CURLOption, _ value: String) throws(NetworkError) {
        switch option {
        case .flag, .setting: break
        case .request: method = value
        case .url:
            guard address == nil else { throw .curl("has two addresses") }
            address = value
        case .header: addHeader(value)
        case .data, .dataASCII, .json:
            if value.hasPrefix("@") {
                throw .curl("reads its data from a file; use --data-binary for a file", kind: .unsupported)
            }
            data.append(Data(value.utf8))
            if option == .json { isJSON = true }
        case .dataRaw: data.append(Data(value.utf8))
        case .dataBinary:
            if value.hasPrefix("@") { file = try Self.file(value.dropFirst()) } else { data.append(Data(value.utf8)) }
        case .dataURLEncode: data.append(try Self.encoded(value))
        case .uploadFile:
            let upload = try Self.file(value[...])
            (file, uploadName) = (upload, upload.lastPathComponent)
            method = method ?? "PUT"
        case .form: parts.append(try Self.part(value))
        case .formString:
            let (name, text) = Self.pair(value)
            parts.append(MultipartFormData(provider: .data(Data(text.utf8)), name: name))
        case .head: isHead = true
        case .get: sendsDataAsQuery = true
        case .compressed: undoesCoding = true
        case .user: optionHeaders["Authorization"] = "Basic " + Data(value.utf8).base64EncodedString()
        case .bearer: optionHeaders["Authorization"] = "Bearer " + value
        case .cookie:
            guard value.contains("=") else { throw .curl("reads its cookies from a file", kind: .unsupported) }
            optionHeaders["Cookie"] = optionHeaders["Cookie"].map { $0 + "; " + value } ?? value
        case .referer: optionHeaders["Referer"] = value
        case .userAgent: optionHeaders["User-Agent"] = value
        case .maxTime:
            guard let seconds = Double(value), seconds > 0, seconds < 1e9 else {
                throw .curl("has an invalid --max-time")
            }
            timeout = .seconds(seconds)
        }
    }

    /// Reads `Name: value`, or `Name;` for an empty value. `Name:` removes one of cURL's headers.
    private mutating func addHeader(_ line: String) {
        if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            let name = String(line[..<colon])
            if !value.isEmpty {
                headers.add(value, for: name)
                return
            }
            removedHeaders.insert(name.lowercased())
            if name.equalsIgnoringASCIICase("Content-Type") {
                hasNoContentType = true
            }
        } else if line.hasSuffix(";") {
            headers.add("", for: String(line.dropLast()))
        }
    }
}

extension CURLCommand {
    /// The request, before validation.
    func request() throws(NetworkError) -> HTTPRequest {
        guard let address, let anyBase = URL(string: "http://curl.invalid") else { throw .curl("has no address") }
        let path = addingUploadName(to: address.contains("://") ? address : "http://" + address)
        guard AddressParts.isAbsolute(path) else { throw .curl("has an address that is not http or https") }
        let body = joinedData
        let query = sendsDataAsQuery ? body.map { String(decoding: $0, as: UTF8.self) } : nil
        var request = HTTPRequest(
            method: HTTPMethod(rawValue: method ?? implicitMethod),
            url: try URLJoining.join(base: anyBase, path: path, query: query),
            headers: headers,
            timeout: timeout
        )
        for field in optionHeaders
        where !headers.contains(field.name) && !removedHeaders.contains(field.name.lowercased()) {
            request.headers.add(field.value, for: field.name)
        }
        try addBody(sendsDataAsQuery ? nil : body, to: &request)
        if isJSON, !headers.contains("Accept"), !removedHeaders.contains("accept") {
            request.headers["Accept"] = JSONBody.contentType
        }
        // Commands copied from browsers contain these headers, which the transport sets.
        for name in ["Content-Length", "Transfer-Encoding", "Connection"] { request.headers[name] = nil }
        if undoesCoding { request.headers["Accept-Encoding"] = nil }
        return request
    }

    /// Adds the name of an uploaded file to an address that ends with a slash, or has no path.
    private func addingUploadName(to address: String) -> String {
        var parts = AddressText(address)
        let slash = UInt8(ascii: "/")
        guard let uploadName, parts.query == nil, parts.path.utf8.last ?? slash == slash else { return address }
        var path = parts.path.isEmpty ? [slash] : Array(parts.path.utf8)
        path.append(percentEncoding: uploadName.utf8, keeping: .unreserved)
        parts.path = String(decoding: path, as: UTF8.self)
        return parts.text
    }

    private var implicitMethod: String {
        if isHead { return "HEAD" }
        let hasBody = !data.isEmpty || file != nil || !parts.isEmpty
        return hasBody && !sendsDataAsQuery ? "POST" : "GET"
    }

    private var joinedData: Data? {
        guard let first = data.first else { return nil }
        let separator = isJSON ? "" : "&"
        return data.dropFirst().reduce(first) { $0 + Data(separator.utf8) + $1 }
    }

    private func addBody(_ body: Data?, to request: inout HTTPRequest) throws(NetworkError) {
        let kinds = [body != nil, file != nil, !parts.isEmpty].count { $0 }
        guard kinds < 2 else { throw .curl("has two bodies") }
        if !parts.isEmpty {
            request = try request.adding(form: MultipartEncoder().encode(parts))
        } else if let file {
            request.body = .file(file)
        } else if let body {
            let type = isJSON ? JSONBody.contentType : "application/x-www-form-urlencoded"
            request = try request.adding(body: body, contentType: type)
            if hasNoContentType { request.headers["Content-Type"] = nil }
        }
    }
}

extension CURLCommand {
    private static func pair(_ text: String) -> (name: String, value: String) {
        let equals = text.firstIndex(of: "=") ?? text.endIndex
        return (String(text[..<equals]), String(text[equals...].dropFirst()))
    }

    private static func file(_ path: Substring) throws(NetworkError) -> URL {
        guard path != "-", !path.isEmpty else { throw .curl("reads its data from standard input", kind: .unsupported) }
        return URL(fileURLWithPath: String(path))
    }

    /// Reads `content`, `=content` or `name=content`, and encodes the content.
    private static func encoded(_ text: String) throws(NetworkError) -> Data {
        let mark = text.firstIndex { $0 == "=" || $0 == "@" }
        if let mark, text[mark] == "@" {
            throw .curl("reads its data from a file; use --data-binary for a file", kind: .unsupported)
        }
        var bytes: [UInt8] = []
        if let mark, mark > text.startIndex { bytes += text[...mark].utf8 }
        let content = mark.map { text[text.index(after: $0)...] } ?? text[...]
        bytes.append(percentEncoding: String(content).utf8, keeping: .unreserved)
        return Data(bytes)
    }

    /// Reads `name=value` or `name=@path`, followed by `;type=…` and `;filename=…`.
    private static func part(_ text: String) throws(NetworkError) -> MultipartFormData {
        let (name, content) = pair(text)
        let pieces = content.split(separator: ";", omittingEmptySubsequences: false)
        var value = pieces.first.map(String.init) ?? ""
        var settings: [String: String] = [:]
        for piece in pieces.dropFirst() {
            let (key, setting) = pair(piece.trimmingCharacters(in: .whitespaces))
            if key == "type" || key == "filename" {
                settings[key] = setting.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
            } else {
                value += ";" + piece
            }
        }
        if value.hasPrefix("<") { throw .curl("reads a field from a file; use @ for an upload", kind: .unsupported) }
        guard value.hasPrefix("@") else {
            let data = MultipartFormData.Provider.data(Data(value.utf8))
            return MultipartFormData(
                provider: data, name: name, fileName: settings["filename"], mimeType: settings["type"])
        }
        let file = try file(value.dropFirst())
        let fileName = settings["filename"] ?? file.lastPathComponent
        return MultipartFormData(provider: .file(file), name: name, fileName: fileName, mimeType: settings["type"])
    }
}

extension HTTPRequest {
    /// Creates a request from a cURL command, as found in documentation and copied from browsers.
    ///
    /// ```swift
    /// let command = #"curl -X POST https://api.test/users -H 'Accept: */*' --json '{"name": "Ada"}'"#
    /// let request = try HTTPRequest(curl: command)
    /// ```
    /// Quotes, `$'…'` and `\` at the end of a line work as in a shell. Options for cURL's operation and output are
    /// ignored. An unknown option that changes the request (`-k`, `-x`, client certificates) throws `.unsupported`.
    /// Syntax that needs a shell (pipes, variables) throws `.invalidRequest`. Headers that the transport sets, such as
    /// `Content-Length`, are omitted.
    public init(curl command: String) throws(NetworkError) {
        self = try CURLCommand(ShellWords.split(command)).request()
        try validate()
    }
}
