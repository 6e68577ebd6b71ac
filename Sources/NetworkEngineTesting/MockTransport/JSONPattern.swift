import Foundation
import NetworkEngine

/// JSON that a body must contain: objects may have more members, everything else must be the same.
struct JSONPattern: Sendable {
    private let expected: Result<JSONValue, any Error>

    init(_ text: String) {
        expected = Result { try JSONValue(parsing: Data(text.utf8)) }
    }

    /// What differs, in words that name the place.
    func mismatches(in body: Data?) -> [String] {
        guard case .success(let expected) = expected else { return ["the rule's own JSON cannot be parsed"] }
        guard let body, !body.isEmpty else { return ["the body is empty, not JSON"] }
        guard let actual = try? JSONValue(parsing: body) else { return ["the body is not JSON"] }
        var found: [String] = []
        compare(actual, expected, at: "") { found.append($0) }
        return found
    }

    private func compare(_ actual: JSONValue, _ expected: JSONValue, at place: String, report: (String) -> Void) {
        switch (actual, expected) {
        case (.object(let actual), .object(let expected)):
            for (name, value) in expected.sorted(by: { $0.key < $1.key }) {
                let place = place.isEmpty ? name : "\(place).\(name)"
                if let member = actual[name] {
                    compare(member, value, at: place, report: report)
                } else {
                    report("the body's \(place) is missing, not \(show(value, at: place))")
                }
            }
        case (.array(let actual), .array(let expected)) where actual.count == expected.count:
            for (index, pair) in zip(actual, expected).enumerated() {
                compare(pair.0, pair.1, at: "\(place)[\(index)]", report: report)
            }
        default:
            guard actual != expected else { return }
            let name = place.isEmpty ? "the body" : "the body's \(place)"
            report("\(name) is \(show(actual, at: place)), not \(show(expected, at: place))")
        }
    }

    /// A scalar as it is, unless its name says that it is secret, and the size of anything larger.
    private func show(_ value: JSONValue, at place: String) -> String {
        let isSecret = place.split(whereSeparator: { ".[]".contains($0) }).contains {
            Redaction.isSecret(parameter: String($0))
        }
        return isSecret ? Redaction.placeholder : value.summary
    }
}
