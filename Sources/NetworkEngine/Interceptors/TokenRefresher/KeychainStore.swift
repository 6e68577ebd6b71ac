#if canImport(Security)
import Foundation
import Security

/// Keeps a credential in the keychain of Apple platforms.
///
/// ```swift
/// let store = KeychainStore<BearerToken>(account: "session")
/// ```
/// The item can be read after the device was unlocked once, so that work in the background can refresh the token. It
/// does not leave the device. On macOS it is in the keychain of data protection, which needs a signed app.
///
/// An app and its extension share the item if both name the same access group and the same service:
///
/// ```swift
/// let store = KeychainStore<BearerToken>(
///     service: "com.example.app", account: "session", accessGroup: "ABCDE12345.com.example.shared")
/// ```
/// Without a service each of them has an item of its own, because an extension has another identifier than its app.
/// They can refresh the token at the same time, and a store of both takes a lock in `exclusively(_:)`.
///
/// A stored value that cannot be decoded, such as that of an older version of the app, counts as none.
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
    ///   - service: the service of the item; by default the identifier of the main bundle, which in an extension is
    ///     that of the extension.
    ///   - account: the name of the item within its service.
    ///   - accessGroup: the group that shares the item. With `nil` an item of any group of the app is found, and a new
    ///     one is added to the first of them.
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
