package import NetworkEngine

/// The compression parameters negotiated for a connection (RFC 7692, 7.1).
package struct CompressionTerms: Hashable, Sendable {
    /// One end's compressor.
    package struct Side: Hashable, Sendable {
        var keepsContext = true
        var windowBits = 15

        init(keepsContext: Bool = true, windowBits: Int = 15) {
            (self.keepsContext, self.windowBits) = (keepsContext, windowBits)
        }
    }

    var client: Side
    var server: Side

    init(client: Side = Side(), server: Side = Side()) { (self.client, self.server) = (client, server) }

    private static let name = "permessage-deflate"

    /// Reads the parameters of an offer or its answer; `nil` if one of them is unknown, invalid or listed twice.
    ///
    /// - Returns: the terms, and whether an offer lets the server limit the client's window.
    private static func terms(
        _ parameters: [WebSocketExtension.Parameter],
        isOffer: Bool
    ) -> (CompressionTerms, limitsClient: Bool)? {
        var terms = CompressionTerms()
        var limitsClient = false
        guard Set(parameters.map(\.name)).count == parameters.count else { return nil }
        for parameter in parameters {
            switch (parameter.name, parameter.value) {
            case ("client_no_context_takeover", nil): terms.client.keepsContext = false
            case ("server_no_context_takeover", nil): terms.server.keepsContext = false
            case ("client_max_window_bits", nil) where isOffer: limitsClient = true
            case ("client_max_window_bits", let value?):
                guard let bits = windowBits(value) else { return nil }
                (terms.client.windowBits, limitsClient) = (bits, true)
            case ("server_max_window_bits", let value?):
                guard let bits = windowBits(value) else { return nil }
                terms.server.windowBits = bits
            default: return nil
            }
        }
        return (terms, limitsClient)
    }

    private static func windowBits(_ value: String) -> Int? {
        guard let bits = Int(value), (8...15).contains(bits), value == String(bits) else { return nil }
        return bits
    }

    // MARK: The client

    /// The `Sec-WebSocket-Extensions` value that offers compression; `nil` without compression.
    static func offer(_ compression: WebSocketCompression?) -> String? {
        guard let compression, Zlib.deflating != nil, Zlib.inflating != nil else { return nil }
        let own = Side(compression)
        var text = name
        if !own.keepsContext { text += "; server_no_context_takeover; client_no_context_takeover" }
        if own.windowBits < 15 { text += "; server_max_window_bits=\(own.windowBits)" }
        return text + "; client_max_window_bits" + (own.windowBits < 15 ? "=\(own.windowBits)" : "")
    }

    /// The terms in a response; `nil` for a connection without compression.
    ///
    /// Throws the reason why the answer does not fit the offer.
    static func answer(
        _ headers: HTTPHeaders,
        to compression: WebSocketCompression?
    ) throws(WebSocketFault) -> CompressionTerms? {
        guard let elements = WebSocketExtension.list(headers) else {
            throw .violation("Sec-WebSocket-Extensions is malformed")
        }
        guard let element = elements.first else { return nil }
        guard elements.count == 1, element.name == name, let compression, offer(compression) != nil else {
            throw .violation("the server uses an extension that was not offered")
        }
        guard let (answered, _) = terms(element.parameters, isOffer: false) else {
            throw .violation("the server's answer about compression is invalid")
        }
        var terms = answered
        let own = Side(compression)
        guard own.keepsContext || !terms.server.keepsContext, terms.server.windowBits <= own.windowBits else {
            throw .violation("the server compresses in another way than was offered")
        }
        terms.client.keepsContext = terms.client.keepsContext && own.keepsContext
        terms.client.windowBits = min(terms.client.windowBits, own.windowBits)
        return terms
    }

    // MARK: The server

    /// The terms of the first offer that a server accepts; `nil` if it accepts none.
    package static func accepted(in headers: HTTPHeaders, by compression: WebSocketCompression?) -> CompressionTerms? {
        guard let compression, offer(compression) != nil else { return nil }
        let own = Side(compression)
        for element in WebSocketExtension.list(headers) ?? [] where element.name == name {
            guard let (offered, limitsClient) = terms(element.parameters, isOffer: true) else { continue }
            var terms = offered
            terms.server.keepsContext = terms.server.keepsContext && own.keepsContext
            terms.server.windowBits = min(terms.server.windowBits, own.windowBits)
            terms.client.keepsContext = terms.client.keepsContext && own.keepsContext
            if limitsClient { terms.client.windowBits = min(terms.client.windowBits, own.windowBits) }
            return terms
        }
        return nil
    }

    /// The `Sec-WebSocket-Extensions` value in the response.
    package var text: String {
        var text = Self.name
        if !server.keepsContext { text += "; server_no_context_takeover" }
        if !client.keepsContext { text += "; client_no_context_takeover" }
        if server.windowBits < 15 { text += "; server_max_window_bits=\(server.windowBits)" }
        if client.windowBits < 15 { text += "; client_max_window_bits=\(client.windowBits)" }
        return text
    }

    /// The terms that a server has put into its response.
    package init?(answered headers: HTTPHeaders) {
        guard let element = WebSocketExtension.list(headers)?.first, element.name == Self.name,
            let (terms, _) = Self.terms(element.parameters, isOffer: false)
        else { return nil }
        self = terms
    }
}

extension CompressionTerms.Side {
    /// The parameters that one end requests.
    fileprivate init(_ compression: WebSocketCompression) {
        self.init(keepsContext: compression.keepsContext, windowBits: min(max(9, compression.windowBits), 15))
    }
}

/// An element of `Sec-WebSocket-Extensions` (RFC 6455, 9.1).
struct WebSocketExtension {
    struct Parameter {
        let name: String
        let value: String?
    }

    let name: String
    let parameters: [Parameter]

    /// The elements in the header fields; `nil` if one of them is malformed.
    static func list(_ headers: HTTPHeaders) -> [WebSocketExtension]? {
        var elements: [WebSocketExtension] = []
        for element in headers.values(for: "Sec-WebSocket-Extensions").flatMap({ $0.split(separator: ",") }) {
            let parts = element.split(separator: ";", omittingEmptySubsequences: false).map(\.withoutSpace)
            if parts == [""] { continue }
            guard let name = parts.first, name.isToken else { return nil }
            var parameters: [Parameter] = []
            for part in parts.dropFirst() {
                guard let parameter = Parameter(part) else { return nil }
                parameters.append(parameter)
            }
            elements.append(WebSocketExtension(name: name.lowercased(), parameters: parameters))
        }
        return elements
    }
}

extension WebSocketExtension.Parameter {
    fileprivate init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.withoutSpace)
        guard let name = parts.first, name.isToken else { return nil }
        self.name = name.lowercased()
        guard parts.count == 2 else {
            value = nil
            return
        }
        // A quoted value must also be a token.
        let isQuoted = parts[1].count >= 2 && parts[1].hasPrefix("\"") && parts[1].hasSuffix("\"")
        let token = isQuoted ? String(parts[1].dropFirst().dropLast()) : parts[1]
        guard token.isToken else { return nil }
        value = token
    }
}

extension Substring {
    fileprivate var withoutSpace: String {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
