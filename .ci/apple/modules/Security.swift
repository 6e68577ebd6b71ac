import Foundation

// Core Foundation's types are bridged with `as` on Apple; here they are what they would be bridged to.
public typealias CFData = Data
public typealias CFString = String
public typealias CFArray = [Any]
public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = AnyObject
public typealias CFTypeID = UInt
public typealias CFIndex = Int
public typealias CFAllocator = AnyObject
public typealias OSStatus = Int32

public final class CFError: Error, Sendable {}
public func CFErrorGetCode(_ err: CFError!) -> CFIndex { 0 }
public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID { 0 }

// None of them is Sendable: whoever sends one would be told so.
public final class SecTrust {}
public final class SecCertificate {}
public final class SecIdentity {}
public final class SecPolicy {}
public final class SecKey {}

public func SecIdentityGetTypeID() -> CFTypeID { 0 }
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? { nil }
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { Data() }
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

public let kSecClass: CFString = ""
public let kSecClassGenericPassword: CFString = ""
public let kSecAttrService: CFString = ""
public let kSecAttrAccount: CFString = ""
public let kSecAttrAccessGroup: CFString = ""
public let kSecAttrAccessible: CFString = ""
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = ""
public let kSecReturnData: CFString = ""
public let kSecUseDataProtectionKeychain: CFString = ""
public let kSecValueData: CFString = ""

public let kSecImportExportPassphrase: CFString = ""
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
public let kSecImportToMemoryOnly: CFString = ""
public let kSecImportItemIdentity: CFString = ""
public let kSecImportItemCertChain: CFString = ""

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
