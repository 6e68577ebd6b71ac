#if canImport(Security)
import Foundation
import Security

/// Keeps a credential in the keychain of Apple platforms.
///
/// ```swift
/// let store = KeychainStore<BearerToken>(account: "session")
/// ```
/// The item can be read after the device was unlocked once, so that work in the background can refresh the token. It does not
/// leave the device. An app and its extension share it with an access group: they can then refresh the token at the same
/// time, and a store of both takes a lock in `exclusively(_:)`.
public actor KeychainStore<Value: Credential & Codable>: CredentialStore {
    /// The status of the keychain, such as `errSecInteractionNotAllowed` while the device is locked.
    public struct Failure: Error, Hashable {
        /// The status.
        public let status: Int32
    }

    private let item: [String: Any]

    /// Creates a store of one item.
    ///
    /// - Parameters:
    ///   - service: the service of the item; by default the identifier of the app.
    ///   - account: the name of the item within its service.
    ///   - accessGroup: the group that shares the item; `nil` for the app's own.
    public init(service: String? = nil, account: String, accessGroup: String? = nil) {
        var item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service ?? Bundle.main.bundleIdentifier ?? "NetworkEngine",
            kSecAttrAccount as String: account,
        ]
        item[kSecAttrAccessGroup as String] = accessGroup
        self.item = item
    }

    public func load() throws -> Value? {
        var query = item
        query[kSecReturnData as String] = true
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess, let data = found as? Data else { throw Failure(status: status) }
        return try JSONDecoder().decode(Value.self, from: data)
    }

    public func save(_ new: Value?, replacing old: Value?) throws -> Bool {
        guard try load() == old else { return false }
        let status = try write(new, isNew: old == nil)
        // Another process may have removed or added the item since it was read.
        if status == errSecDuplicateItem || (status == errSecItemNotFound && new != nil) { return false }
        guard status == errSecSuccess || status == errSecItemNotFound else { throw Failure(status: status) }
        return true
    }

    private func write(_ value: Value?, isNew: Bool) throws -> OSStatus {
        guard let value else { return SecItemDelete(item as CFDictionary) }
        let data = try JSONEncoder().encode(value)
        if !isNew { return SecItemUpdate(item as CFDictionary, [kSecValueData as String: data] as CFDictionary) }
        var added = item
        added[kSecValueData as String] = data
        added[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        return SecItemAdd(added as CFDictionary, nil)
    }
}
#endif
