import Foundation
import NetworkEngine

/// A response that a fixture file describes.
struct ResponseFixture: Sendable {
    var status = 200
    var headers: HTTPHeaders = [:]
    var delay: Duration = .zero
    var body = Data()

    /// Returns all responses in a file: the ones that a `.response.json` describes, or a single one with the file's
    /// bytes as its body.
    ///
    /// - Parameters:
    ///   - isTemplate: Whether a body file has placeholders. A file that describes responses always has.
    ///   - value: Returns the value of a placeholder such as `{{id}}`.
    static func all(
        in file: FixtureFile,
        isTemplate: Bool,
        value: (String) -> String?
    ) throws(FixtureError) -> [ResponseFixture] {
        guard file.describesResponse else {
            let isJSON = file.url.pathExtension == "json"
            let body = isTemplate ? try file.filled(value).data : file.data
            return [ResponseFixture(headers: isJSON ? headerOfJSON : [:], body: body)]
        }
        let filled = try file.filled(value)
        let script = try filled.decode(Script.self, with: BodyDecoder(JSONDecoder()))
        guard let sequence = script.sequence else { return [try script.response(in: filled, at: [])] }
        var responses: [ResponseFixture] = []
        for (index, response) in sequence.enumerated() {
            responses.append(try response.response(in: filled, at: [Key.sequence, Key(intValue: index)]))
        }
        guard !responses.isEmpty else { throw filled.failure("the sequence has no responses", at: [Key.sequence]) }
        return responses
    }

    private static var headerOfJSON: HTTPHeaders { ["Content-Type": "application/json"] }

    /// The content of a `.response.json`.
    private struct Script: Decodable {
        var status: Int?
        var headers: [String: Lines]?
        var delay: Double?
        var text: String?
        var file: String?
        var hasBody = false
        var sequence: [Script]?

        private static let longestDelay = 1e9

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            for key in container.allKeys where !Key.known.contains(key.stringValue) {
                throw DecodingError.dataCorruptedError(
                    forKey: key,
                    in: container,
                    debugDescription: "not part of a response; it may have \(Key.known.joined(separator: ", "))"
                )
            }
            status = try container.decodeIfPresent(Int.self, forKey: .status)
            headers = try container.decodeIfPresent([String: Lines].self, forKey: .headers)
            delay = try container.decodeIfPresent(Double.self, forKey: .delay)
            if let delay, !(0...Self.longestDelay).contains(delay) {
                throw DecodingError.dataCorruptedError(
                    forKey: .delay,
                    in: container,
                    debugDescription: "a delay is a number of seconds between 0 and \(Int(Self.longestDelay))"
                )
            }
            text = try container.decodeIfPresent(String.self, forKey: .text)
            file = try container.decodeIfPresent(String.self, forKey: .file)
            hasBody = container.contains(.body)
            sequence = try container.decodeIfPresent([Script].self, forKey: .sequence)
        }

        func response(in fixture: FixtureFile, at path: [any CodingKey]) throws(FixtureError) -> ResponseFixture {
            if sequence != nil { throw fixture.failure("a sequence inside a sequence", at: path) }
            var response = ResponseFixture(status: status ?? 200, delay: .seconds(delay ?? 0))
            if hasBody {
                response.headers = headerOfJSON
                response.body = try fixture.bytes(at: path + [Key.body])
            } else if let text {
                response.body = Data(text.utf8)
            } else if let file {
                let url = fixture.url.deletingLastPathComponent().appendingPathComponent(file)
                guard let data = try? Data(contentsOf: url) else {
                    throw fixture.failure("there is no file \(url.path)", at: path + [Key.file])
                }
                response.headers = url.pathExtension == "json" ? headerOfJSON : [:]
                response.body = data
            }
            for (name, lines) in (headers ?? [:]).sorted(by: { $0.key < $1.key }) {
                response.headers[name] = nil
                for line in lines.values { response.headers.add(line, for: name) }
            }
            return response
        }
    }

    private struct Lines: Decodable {
        let values: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            values = try (try? [container.decode(String.self)]) ?? container.decode([String].self)
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int?

        init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
        init(intValue: Int) { (stringValue, self.intValue) = ("Index \(intValue)", intValue) }

        static let status = Key(stringValue: "status")
        static let headers = Key(stringValue: "headers")
        static let delay = Key(stringValue: "delay")
        static let text = Key(stringValue: "text")
        static let file = Key(stringValue: "file")
        static let body = Key(stringValue: "body")
        static let sequence = Key(stringValue: "sequence")
        static let known = ["status", "headers", "delay", "body", "text", "file", "sequence"]
    }
}
