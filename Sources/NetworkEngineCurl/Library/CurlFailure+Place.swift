import CLibcurl
import Foundation
import NetworkEngine

extension CurlFailure {
    /// The message for a retry without a free connection.
    static let shortage = "no descriptor is free for another connection"

    /// Something other than the request's host that libcurl could not reach.
    enum Place {
        case unixSocket(path: String)
        case proxy(String)

        /// - Parameters:
        ///   - code: libcurl's failure code.
        ///   - cause: the system error; 0 if unknown.
        func reason(code: Int32, cause: Int) -> String {
            let text: String
            switch self {
            case .unixSocket(let path): text = "no server could be reached at the Unix-domain socket \(path)"
            case .proxy(let name) where code == 5: text = "the name of the proxy \(name) did not resolve"
            case .proxy(let name): text = "the proxy \(name) could not be reached"
            }
            return cause == 0 ? text : "\(text) (\(String(cString: strerror(Int32(truncatingIfNeeded: cause)))))"
        }
    }
}

extension CurlSharedOptions {
    /// The Unix-domain socket or proxy that libcurl could not reach; `nil` for any other failure.
    func unreachablePlace(code: Int32, message: String, for request: CurlRequest) -> CurlFailure.Place? {
        guard [5, 7, 28].contains(code) else { return nil }
        if let path { return code == 7 ? .unixSocket(path: path) : nil }
        let target = message.connectionTarget
        switch proxy {
        case .direct: return nil
        case .url(let url, _):
            guard code != 28 || target != nil else { return nil }
            return .proxy(url.port.map { "\(url.host ?? ""):\($0)" } ?? url.host ?? "")
        case .environment:
            if code == 5 { return message.split(separator: " ").last.map { .proxy(String($0)) } }
            guard let target else { return nil }
            let host = URL(string: request.url)?.origin.host ?? ""
            let isOfServer = target.host.isSameHost(as: host)
            // The port belongs to the preceding name.
            if let proxy = target.proxy { return .proxy(isOfServer ? proxy : "\(proxy):\(target.port)") }
            return isOfServer ? nil : .proxy("\(target.host):\(target.port)")
        }
    }
}

extension CurlSlot {
    /// The reason if something other than the request's host could not be reached.
    func reasonOfPlace(after code: Int32, _ message: String) -> String? {
        guard let task, let place = base.unreachablePlace(code: code, message: message, for: task.request) else {
            return nil
        }
        return place.reason(code: code, cause: lc_number(easy, Int32(LC_INFO_OS_ERRNO)))
    }
}

extension String {
    /// The host, the port and the proxy in "Failed to connect to example.com port 80 via proxy.com after 7 ms". Newer
    /// versions write "example.com:80 over proxy proxy.com".
    fileprivate var connectionTarget: (host: String, port: Substring, proxy: String?)? {
        guard let range = range(of: "Failed to connect to ") else { return nil }
        var words = self[range.upperBound...].split(separator: " ", maxSplits: 5)[...]
        guard var host = words.popFirst() else { return nil }
        let port: Substring
        if words.first == "port" {
            port = words.dropFirst().first ?? ""
            words = words.dropFirst(2)
        } else {
            guard let colon = host.lastIndex(of: ":") else { return nil }
            port = host[host.index(after: colon)...]
            host = host[..<colon]
        }
        if words.starts(with: ["over", "proxy"]) { words = words.dropFirst() }
        let hasProxy = ["via", "proxy"].contains(words.first)
        return (String(host), port.prefix { $0.isNumber }, hasProxy ? words.dropFirst().first.map(String.init) : nil)
    }

    /// Whether two names denote the same host, ignoring case and a trailing dot.
    fileprivate func isSameHost(as other: String) -> Bool {
        func bare(_ name: String) -> String {
            let name = name.lowercased()
            return name.hasSuffix(".") ? String(name.dropLast()) : name
        }
        return bare(self) == bare(other)
    }

    /// The text without the numbers that differ between failures, so that equal failures have equal reasons.
    var withoutFigures: String {
        let words = split(separator: " ", omittingEmptySubsequences: false)
        var kept: [Substring] = []
        for (index, word) in words.enumerated() {
            let next = index + 1 < words.count ? words[index + 1] : ""
            if Int(word) != nil, kept.last == "stream" { continue }
            if word.hasPrefix("ms") || word.hasPrefix("milliseconds"), index > 0, Int(words[index - 1]) != nil {
                // "after 7 ms: " ends with a mark that is kept.
                if kept.last == "after" { kept.removeLast() }
                let mark = word.drop { $0.isLetter }
                if let last = kept.popLast() { kept.append(last + mark) }
                continue
            }
            if Int(word) != nil, next.hasPrefix("ms") || next.hasPrefix("milliseconds") { continue }
            kept.append(word)
        }
        return kept.joined(separator: " ")
    }
}
