import Foundation
import NetworkEngine

/// JSON that a body must contain. Objects may have additional members; everything else must be equal.
struct JSONPattern: Sendable {
    private let expected: Result<JSONValue, any Error>

    init(_ text: String) {
        expected = Result { try JSONValue(parsing: Data(text.utf8)) }
    }

    /// Returns the differences with their paths.
    func mismatches(in body: Data?) -> [String] {
        guard case .success(let expected) = expected else { return ["the rule's own JSON cannot be parsed"] }
        guard let body, !body.isEmpty else { return ["the body is empty, not JSON"] }
        guard let actual = try? JSONValue(parsing: body) else { return ["the body is not JSON"] }
        var found: [String] = []
        compare(actual, expected, at: "") { found.append($0) }
        return found
    }

    private func compare(_ actual: JSONValue, _ expected: JSONValue, at path: String, report: (String) -> Void) {
        switch (actual, expected) {
        case (.object(let actual), .object(let expected)):
            for (name, value) in expected.sorted(by: { $0.key < $1.key }) {
                let path = path.isEmpty ? name : "\(path).\(name)"
                if let member = actual[name] {
                    compare(member, value, at: path, report: report)
                } else {
                    report("the body's \(path) is missing, not \(show(value, at: path))")
                }
            }
        case (.array(let actual), .array(let expected)) where actual.count == expected.count:
            for (index, pair) in zip(actual, expected).enumerated() {
                compare(pair.0, pair.1, at: "\(path)[\(index)]", report: report)
            }
        default:
            guard actual != expected else { return }
            let name = path.isEmpty ? "the body" : "the body's \(path)"
            report("\(name) is \(show(actual, at: path)), not \(show(expected, at: path))")
        }
    }

    /// The scalar unless its name is secret, or the size of an array or object.
    private func show(_ value: JSONValue, at path: String) -> String {
        let isSecret = path.split(whereSeparator: { ".[]".contains($0) }).contains {
            Redaction.isSecret(parameter: String($0))
        }
        return isSecret ? Redaction.placeholder : value.summary
    }
}
