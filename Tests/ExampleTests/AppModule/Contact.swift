import Foundation

/// A person in the list of contacts.
nonisolated struct Contact: Codable, Hashable, Identifiable, Sendable {
    let id: Int
    var name: String
    var email: String?

    /// A contact that the service has not seen yet.
    nonisolated struct Draft: Codable, Sendable {
        var name: String
        var email: String?
    }

    /// One page of a list, and the number of the next.
    nonisolated struct Page: Codable, Sendable {
        let contacts: [Contact]
        let next: Int?
    }

    /// A change that another device has made.
    nonisolated struct Change: Codable, Hashable, Sendable {
        let id: Int
        let kind: String
    }
}
