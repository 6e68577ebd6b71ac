/// A request for a permit. Later ones have greater numbers.
package struct AdmissionTicket: Hashable, Sendable {
    package enum Rank: Int, Sendable, CaseIterable { case refresh, high, normal, low }

    package let number: Int
    package let host: String
    package let rank: Rank
}
