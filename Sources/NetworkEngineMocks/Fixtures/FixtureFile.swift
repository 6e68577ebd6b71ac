public import Foundation
import NetworkEngine

struct FixtureFile: Sendable {
    let name: String
    let url: URL
    let data: Data

    func decode<Value: Decodable>(_ type: Value.Type, with decoder: BodyDecoder) throws(FixtureError) -> Value {
        do {
            return try decoder.decode(type, from: data)
        } catch let error as DecodingError {
            throw explain(error)
        } catch {
            throw FixtureError(name: name, file: url, reason: "\(error)")
        }
    }

    func failure(_ reason: String, at path: [any CodingKey]) -> FixtureError {
        var scanner = JSONScanner(data, seeking: path)
        if let fault = scanner.scan() {
            return FixtureError(name: name, file: url, line: data.line(of: fault.offset), reason: fault.reason)
        }
        let line = data.line(of: scanner.found.lowerBound)
        return FixtureError(name: name, file: url, line: line, codingPath: path.text, reason: reason)
    }

    private func explain(_ error: DecodingError) -> FixtureError {
        switch error {
        case .keyNotFound(let key, let context):
            return failure("there is no \(key.stringValue.debugDescription)", at: context.codingPath)
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            let reason = context.debugDescription
            return failure(reason.hasSuffix(".") ? String(reason.dropLast()) : reason, at: context.codingPath)
        @unknown default: return failure("\(error)", at: [])
        }
    }
}

extension Data {
    /// The line of a byte, starting at 1.
    func line(of offset: Int) -> Int { 1 + prefix(offset).count { $0 == UInt8(ascii: "\n") } }
}

extension CodingKey {
    /// The index in an array; `nil` for a member with a number as its name.
    var elementIndex: Int? { intValue.flatMap { stringValue == "\($0)" ? nil : $0 } }
}

extension [any CodingKey] {
    /// The path as text, such as `users[3].email`.
    fileprivate var text: String {
        reduce(into: "") { text, key in
            if let index = key.elementIndex {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }
}

extension FixtureFile {
    /// Whether the file describes a response, rather than being its body.
    var describesResponse: Bool { url.lastPathComponent.hasSuffix(".response.json") }

    func filled(_ value: (_ name: String) -> String?) throws(FixtureError) -> FixtureFile {
        let template = FixtureTemplate(String(decoding: data, as: UTF8.self))
        do {
            return FixtureFile(name: name, url: url, data: Data(try template.filled(value).utf8))
        } catch {
            let reason = "there is no value for {{\(error.name)}}"
            throw FixtureError(name: name, file: url, line: data.line(of: error.offset), reason: reason)
        }
    }

    /// Returns the bytes of a value in the file.
    ///
    /// Throws when the file is not strict JSON, because the platform's decoder accepts trailing commas.
    func bytes(at path: [any CodingKey]) throws(FixtureError) -> Data {
        var scanner = JSONScanner(data, seeking: path)
        if let fault = scanner.scan() {
            throw FixtureError(name: name, file: url, line: data.line(of: fault.offset), reason: fault.reason)
        }
        return data.dropFirst(scanner.found.lowerBound).prefix(scanner.found.count)
    }
}

/// A fixture is missing or invalid. The error contains the file, line and value.
///
/// ```
/// /…/JSON/UserListResponse.json:14: users[3].email: Expected to decode String but found number instead
/// ```
public struct FixtureError: Error, Equatable, CustomStringConvertible, LocalizedError {
    /// The requested name.
    public let name: String
    /// The file; `nil` if it was not found, or if several files have the name.
    public let file: URL?
    /// The line, starting at 1.
    public let line: Int?
    /// The path in the JSON, such as `users[3].email`; empty for the whole file.
    public let codingPath: String
    /// The problem.
    public let reason: String

    /// Creates an error.
    public init(name: String, file: URL? = nil, line: Int? = nil, codingPath: String = "", reason: String) {
        self.name = name
        self.file = file
        self.line = line
        self.codingPath = codingPath
        self.reason = reason
    }

    /// File, line and path in a form that editors and terminals make clickable.
    public var description: String {
        let place = file.map { $0.path + (line.map { ":\($0)" } ?? "") } ?? "fixture \(name)"
        return [place, codingPath, reason].filter { !$0.isEmpty }.joined(separator: ": ")
    }

    public var errorDescription: String? { description }
}
