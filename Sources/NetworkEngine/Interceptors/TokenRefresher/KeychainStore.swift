#if canImport(Security)
import Foundation
import Security

/// Stores a credential in the keychain of Apple platforms.
///
/// ```swift
/// let store = KeychainStore<BearerToken>(account: "session")
/// ```
/// The item can be read after the device has been unlocked once, so that background work can refresh the token. It does
/// not leave the device. On macOS it is stored in the data protection keychain, which requires a signed app.
///
/// An app and its extension share the item if both use the same access group and the same service:
///
/// ```swift
/// let store = KeychainStore<BearerToken>(
///     service: "com.example.app", account: "session", accessGroup: "ABCDE12345.com.example.shared")
/// ```
/// Without a service they have separate items, because an extension has a different identifier than its app. Both can
/// refresh the token at the same time; to prevent that, write a store that takes a lock in `exclusively(_:)`.
///
/// A stored value that cannot be decoded, such as one from an older version of the app, is treated as missing.
public actor KeychainStore<Value: Credential & Codable>: CredentialStore {
    /// A keychain status, such as `errSecInteractionNotAllowed` while the device is locked.
    public struct Failure: Error, Hashable {
        /// The status.
        public let status: Int32
    }

    private let item: [String: Any]

    /// Creates a store for one item.
    ///
    /// - Parameters:
    ///   - service: the item's service; by default the identifier of the main bundle, which in an extension is the
    ///     extension's own.
    ///   - account: the item's name within its service.
    ///   - accessGroup: the group that shares the item. With `nil` an item in any of the app's groups is found, and a
    ///     new one is added to the first of them.
    public init(service: String? = nil, account: String, accessGroup: String? = nil) {
        var item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service ?? Bundle.main.bundleIdentifier ?? "NetworkEngine",
            kSecAttrAccount as String: account,
        ]
        item[kSecAttrAccessGroup as String] = accessGroup
        item[kSecUseDataProtectionKeychain as String] = true
        self.item = item
    }

    public func load() throws -> Value? { try read().value }

    public func save(_ new: Value?, replacing old: Value?) throws -> Bool {
        let stored = try read()
        guard stored.value == old else { return false }
        let status = try write(new, isNew: !stored.exists)
        // Another process may have removed or added the item since it was read.
        if status == errSecDuplicateItem || (status == errSecItemNotFound && new != nil) { return false }
        guard status == errSecSuccess || status == errSecItemNotFound else { throw Failure(status: status) }
        return true
    }

    private func read() throws -> (exists: Bool, value: Value?) {
        var query = item
        query[kSecReturnData as String] = true
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return (false, nil) }
        guard status == errSecSuccess, let data = found as? Data else { throw Failure(status: status) }
        return (true, try? JSONDecoder().decode(Value.self, from: data))
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
