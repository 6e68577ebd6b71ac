package import Foundation

/// Stands for a session that others put into requests; it only tells one from the next.
package struct SessionMark: Credential {
    private let number: Int

    package init() { number = 0 }

    private init(number: Int) { self.number = number }

    package var next: SessionMark { SessionMark(number: number + 1) }
    package var expiresAt: Date? { nil }

    package func apply(to request: inout HTTPRequest) {}

    package func isSetByHand(in request: HTTPRequest) -> Bool { false }
}
