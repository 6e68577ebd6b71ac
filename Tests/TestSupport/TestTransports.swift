import Foundation

/// The transports for tests that are parameterized by transport.
package enum TestTransports: Sendable {
    /// The platform's main transport: each run of the suite.
    case main
    /// One of each kind: `NETWORKENGINE_TRANSPORTS=each`.
    case each
    /// Each kind and its variants: any other value of `NETWORKENGINE_TRANSPORTS`.
    case all

    package static let current: TestTransports =
        switch ProcessInfo.processInfo.environment["NETWORKENGINE_TRANSPORTS"] {
        case nil: .main
        case "each": .each
        default: .all
        }

    /// Selects the transports that the tests run over. The main one is libcurl on Linux, and URLSession on Apple
    /// platforms.
    package static func chosen<Wire>(urlSession: Wire, curl: Wire?, variants: [Wire] = []) -> [Wire] {
        let kinds = [urlSession] + (curl.map { [$0] } ?? [])
        switch current {
        case .main:
            #if canImport(FoundationNetworking)
            return [curl ?? urlSession]
            #else
            return [urlSession]
            #endif
        case .each: return kinds
        case .all: return kinds + variants
        }
    }
}
