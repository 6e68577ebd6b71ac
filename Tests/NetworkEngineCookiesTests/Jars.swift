import Foundation
import TestSupport

@testable import NetworkEngine
@testable import NetworkEngineCookies

extension CookieJar {
    /// A point in time, and a jar with its clock stopped there.
    static let moment = Date(timeIntervalSince1970: 1_750_000_000)

    static func fixed() -> CookieJar { CookieJar(now: { moment }) }

    /// Stores the cookies from several headers that one address sends.
    func receive(_ headers: String..., from address: String) throws {
        for header in headers { set(fromHeader: header, for: try address.url) }
    }

    /// The value of the `Cookie` header for an address; empty if there are no cookies.
    func sent(to address: String) throws -> String {
        cookies(for: try address.url).map(\.pair).joined(separator: "; ")
    }
}

/// A wall clock that a test moves.
final class WallClock: Sendable {
    private let time = Locked(CookieJar.moment)

    var now: @Sendable () -> Date { { [time] in time.withLock { $0 } } }

    func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
