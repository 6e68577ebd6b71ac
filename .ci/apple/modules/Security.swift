@_exported import CoreFoundationTypes
import Foundation

public typealias OSStatus = Int32

// Like the SDK's, these types aren't Sendable, so that the compiler reports code that sends one.
public final class SecTrust {}
public final class SecCertificate {}
public final class SecIdentity {}
public final class SecPolicy {}
public final class SecKey {}

public func SecIdentityGetTypeID() -> CFTypeID { 0 }
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? { nil }
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { CFData() }
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy { SecPolicy() }
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus { 0 }
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus { 0 }
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus { 0 }
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool { false }
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }
@discardableResult
public func SecPKCS12Import(
    _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus { 0 }

@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus { 0 }
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { 0 }

public var kSecClass: CFString { CFString(string: "") }
public var kSecClassGenericPassword: CFString { CFString(string: "") }
public var kSecAttrService: CFString { CFString(string: "") }
public var kSecAttrAccount: CFString { CFString(string: "") }
public var kSecAttrAccessGroup: CFString { CFString(string: "") }
public var kSecAttrAccessible: CFString { CFString(string: "") }
public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { CFString(string: "") }
public var kSecReturnData: CFString { CFString(string: "") }
public var kSecUseDataProtectionKeychain: CFString { CFString(string: "") }
public var kSecValueData: CFString { CFString(string: "") }

public var kSecImportExportPassphrase: CFString { CFString(string: "") }
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
public var kSecImportToMemoryOnly: CFString { CFString(string: "") }
public var kSecImportItemIdentity: CFString { CFString(string: "") }
public var kSecImportItemCertChain: CFString { CFString(string: "") }

public var errSecSuccess: OSStatus { 0 }
public var errSecItemNotFound: OSStatus { -25300 }
public let errSecDuplicateItem: OSStatus = -25299
public var errSecAuthFailed: OSStatus { -25293 }
public var errSecCreateChainFailed: OSStatus { -25318 }
public var errSecHostNameMismatch: OSStatus { -67602 }
public var errSecCertificateExpired: OSStatus { -67818 }
public var errSecCertificateNotValidYet: OSStatus { -67819 }
public var errSecNotTrusted: OSStatus { -67843 }

public enum tls_protocol_version_t: UInt16, Sendable {
    case TLSv12 = 0x0303
    case TLSv13 = 0x0304
}
