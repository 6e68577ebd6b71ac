// What the Foundation of Linux lacks, or has only as unavailable, of the things that our Apple branches use.
@_exported import FoundationNetworking
import Foundation
import Network
import Security

let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"
let NSURLAuthenticationMethodClientCertificate = "NSURLAuthenticationMethodClientCertificate"

extension URLProtectionSpace {
    var serverTrust: SecTrust? { nil }
}

extension URLCredential {
    convenience init(trust: SecTrust) { self.init(user: "", password: "", persistence: .none) }
    convenience init(identity: SecIdentity, certificates: [Any]?, persistence: Persistence) {
        self.init(user: "", password: "", persistence: persistence)
    }
}

extension URLSessionConfiguration {
    var tlsMinimumSupportedProtocolVersion: Security.tls_protocol_version_t {
        get { .TLSv12 }
        set {}
    }
    var waitsForConnectivity: Bool {
        get { false }
        set {}
    }
    @available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
    var proxyConfigurations: [ProxyConfiguration] {
        get { [] }
        set {}
    }
    class func background(withIdentifier identifier: String) -> URLSessionConfiguration { .default }
    var sessionSendsLaunchEvents: Bool {
        get { false }
        set {}
    }
    var sharedContainerIdentifier: String? {
        get { nil }
        set {}
    }
    var allowsExpensiveNetworkAccess: Bool {
        get { true }
        set {}
    }
    var allowsConstrainedNetworkAccess: Bool {
        get { true }
        set {}
    }
}

struct Selector {}
func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector() }
extension NSObjectProtocol {
    func responds(to aSelector: Selector!) -> Bool { false }
}

extension URLSessionDelegate {
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {}
}
extension URLSessionTaskDelegate {
    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {}
}
extension URLSession {
    var allTasks: [URLSessionTask] { get async { [] } }
}
let NSURLSessionDownloadTaskResumeData = "NSURLSessionDownloadTaskResumeData"
let NSURLErrorBackgroundTaskCancelledReasonKey = "NSURLErrorBackgroundTaskCancelledReasonKey"

extension Stream {
    static func getBoundStreams(
        withBufferSize bufferSize: Int,
        inputStream: UnsafeMutablePointer<InputStream?>?,
        outputStream: UnsafeMutablePointer<OutputStream?>?
    ) {}
}
