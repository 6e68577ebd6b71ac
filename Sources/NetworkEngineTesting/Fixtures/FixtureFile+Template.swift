import Foundation

extension FixtureFile {
    /// Whether the file describes a response, rather than being the body of one.
    var describesResponse: Bool { url.lastPathComponent.hasSuffix(".response.json") }

    /// The same file with its places filled in.
    func filled(_ value: (_ name: String) -> String?) throws(FixtureError) -> FixtureFile {
        let template = FixtureTemplate(String(decoding: data, as: UTF8.self))
        do {
            return FixtureFile(name: name, url: url, data: Data(try template.filled(value).utf8))
        } catch {
            let reason = "there is no value for {{\(error.name)}}"
            throw FixtureError(name: name, file: url, line: data.line(of: error.offset), reason: reason)
        }
    }

    /// The bytes of a value as they stand in the file.
    ///
    /// Throws where the file is not JSON by the book: the platform's decoder lets a comma before a bracket pass.
    func bytes(at path: [any CodingKey]) throws(FixtureError) -> Data {
        var scanner = JSONScanner(data, seeking: path)
        if let fault = scanner.scan() {
            throw FixtureError(name: name, file: url, line: data.line(of: fault.offset), reason: fault.reason)
        }
        return data.dropFirst(scanner.found.lowerBound).prefix(scanner.found.count)
    }
}
