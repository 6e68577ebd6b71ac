// APIs that our Apple branches use and that Foundation on Linux lacks or marks as unavailable.
@_exported public import CoreFoundationTypes
@_exported public import FoundationNetworking
@_exported public import WebSocketTasks
public import Foundation
package import Network
package import Security

// If several types have the same name, lookup prefers this module's.
package typealias URLSessionWebSocketTask = WebSocketTasks.URLSessionWebSocketTask
package typealias URLSessionWebSocketDelegate = WebSocketTasks.URLSessionWebSocketDelegate

package let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"
package let NSURLAuthenticationMethodClientCertificate = "NSURLAuthenticationMethodClientCertificate"

extension URLProtectionSpace {
    package var serverTrust: SecTrust? { nil }
}

extension URLCredential {
    convenience init(trust: SecTrust) { self.init(user: "", password: "", persistence: .none) }
    convenience init(identity: SecIdentity, certificates: [Any]?, persistence: Persistence) {
        self.init(user: "", password: "", persistence: persistence)
    }
}

extension URLSessionConfiguration {
    package var tlsMinimumSupportedProtocolVersion: Security.tls_protocol_version_t {
        get { .TLSv12 }
        set {}
    }
    package var waitsForConnectivity: Bool {
        get { false }
        set {}
    }
    @available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
    package var proxyConfigurations: [ProxyConfiguration] {
        get { [] }
        set {}
    }
    package class func background(withIdentifier identifier: String) -> URLSessionConfiguration { .default }
    package var sessionSendsLaunchEvents: Bool {
        get { false }
        set {}
    }
    package var sharedContainerIdentifier: String? {
        get { nil }
        set {}
    }
    package var allowsExpensiveNetworkAccess: Bool {
        get { true }
        set {}
    }
    package var allowsConstrainedNetworkAccess: Bool {
        get { true }
        set {}
    }
}

extension URLRequest {
    package var assumesHTTP3Capable: Bool {
        get { false }
        set {}
    }
}

package struct Selector {}
package func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector() }
extension NSObjectProtocol {
    package func responds(to aSelector: Selector!) -> Bool { false }
}

extension URLSessionDelegate {
    package func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {}
}
extension URLSessionTaskDelegate {
    package func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {}
}
extension URLSession {
    package var allTasks: [URLSessionTask] { get async { [] } }
}
package let NSURLSessionDownloadTaskResumeData = "NSURLSessionDownloadTaskResumeData"

extension Stream {
    // The SDK uses autoreleasing pointers, which accept only `&variable`.
    package static func getBoundStreams(
        withBufferSize bufferSize: Int,
        inputStream: inout InputStream?,
        outputStream: inout OutputStream?
    ) {}
}
