import Foundation

/// A fixture that was found and read.
struct FixtureFile: Sendable {
    let name: String
    let url: URL
    let data: Data

    func decode<Value: Decodable>(_ type: Value.Type, with decoder: JSONDecoder) throws(FixtureError) -> Value {
        do {
            return try decoder.decode(type, from: data)
        } catch let error as DecodingError {
            throw explain(error)
        } catch {
            throw FixtureError(name: name, file: url, reason: "\(error)")
        }
    }

    /// An error about a value in this file.
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
    /// The line that holds a byte, 1 for the first.
    func line(of offset: Int) -> Int { 1 + prefix(offset).count { $0 == UInt8(ascii: "\n") } }
}

extension [any CodingKey] {
    /// Such as `users[3].email`.
    fileprivate var text: String {
        reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }
}
