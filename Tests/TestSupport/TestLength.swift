import Foundation

/// The length of tests that could run indefinitely.
package enum TestLength: Sendable {
    /// Seconds: each run of the suite.
    case usual
    /// Minutes: `NETWORKENGINE_LONG=gate`.
    case gate
    /// As far as any run has gone: any other value of `NETWORKENGINE_LONG`.
    case whole

    package static let current: TestLength =
        switch ProcessInfo.processInfo.environment["NETWORKENGINE_LONG"] {
        case nil: .usual
        case "gate": .gate
        default: .whole
        }

    package static var isLong: Bool { current != .usual }

    /// A fifth of `count`, or all of it in the longer forms.
    package static func part(of count: Int) -> Int { Self.count(count / 5, gate: count, whole: count) }

    /// Whether the case with this number belongs to the fifth that the usual form runs.
    package static func isPart(_ number: Int) -> Bool { isLong || number.isMultiple(of: 5) }

    /// A count for each form. Under ThreadSanitizer, the usual form uses `sanitized` if it needs more rounds there.
    package static func count(_ usual: Int, sanitized: Int? = nil, gate: Int, whole: Int) -> Int {
        switch current {
        case .usual: ThreadSanitizer.isWatching ? sanitized ?? usual : usual
        case .gate: gate
        case .whole: whole
        }
    }
}
