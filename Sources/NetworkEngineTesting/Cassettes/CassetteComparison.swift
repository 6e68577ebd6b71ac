import Foundation
import NetworkEngineMocks

/// The differences between a request and a recorded one.
struct CassetteComparison {
    /// Each difference and its weight; empty when the recorded exchange matches.
    var differences: [(words: String, weight: Int)] = []
    /// The number of values that agree only because a placeholder hides the recorded one.
    var hiddenValues = 0
}

/// A part of a request.
struct ComparedPart {
    /// A canonical spelling of equivalent values, for comparing and showing.
    let text: String
    /// The values in the text. A placeholder hides a recorded value, or a part of its text.
    let value: JSONValue
}

extension ComparedPart {
    init(_ text: String) { self.init(text: text, value: .string(text)) }
}

extension JSONValue {
    /// Reads JSON, even with placeholders instead of numbers.
    init?(redacted data: Data) {
        if let value = try? JSONValue(parsing: data) {
            self = value
        } else if let json = RedactedText.quotingNumbers(in: data), let value = try? JSONValue(parsing: json) {
            self = value
        } else {
            return nil
        }
    }

    /// The number of values that match only because a placeholder hides the recorded one; `nil` if values differ.
    ///
    /// Secrets that occur only in the responses are unknown when a recording is played.
    func hiddenValues(in recorded: JSONValue) -> Int? {
        switch (self, recorded) {
        case (.array(let values), .array(let others)):
            return values.count == others.count ? Self.hiddenValues(in: Array(zip(values, others))) : nil
        case (.object(let members), .object(let others)):
            return Self.hiddenValues(of: members, in: others)
        default:
            if self == recorded { return 0 }
            guard let text = scalarText, let pattern = recorded.scalarText else { return nil }
            return RedactedText(pattern.utf8).matches(text) ? 1 : nil
        }
    }

    private static func hiddenValues(in pairs: [(JSONValue, JSONValue)]) -> Int? {
        var sum = 0
        for (value, other) in pairs {
            guard let count = value.hiddenValues(in: other) else { return nil }
            sum += count
        }
        return sum
    }

    /// Recorded members with a placeholder in their names match all members that were not recorded.
    private static func hiddenValues(of members: [String: JSONValue], in others: [String: JSONValue]) -> Int? {
        let shared = members.compactMap { name, value in others[name].map { (value, $0) } }
        guard let count = hiddenValues(in: shared) else { return nil }
        let names = members.keys.filter { others[$0] == nil }
        let otherNames = others.keys.filter { members[$0] == nil }
        if names.isEmpty, otherNames.isEmpty { return count }
        guard !names.isEmpty, !otherNames.isEmpty else { return nil }
        return otherNames.allSatisfy { RedactedText($0.utf8).hasPlaceholder } ? count + names.count : nil
    }

    /// The text that a placeholder can replace: a string, or a number that the redaction found elsewhere.
    private var scalarText: String? {
        switch self {
        case .string(let text): text
        case .number: summary
        case .null, .bool, .array, .object: nil
        }
    }
}
