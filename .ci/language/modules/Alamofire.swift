// The part of Alamofire that creates a session, for samples.
import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

public final class Session: Sendable {
    public init(configuration: URLSessionConfiguration) {}
}

public protocol RequestInterceptor: Sendable {}

public struct AlamofireExtension<Extended> {}

extension AlamofireExtension where Extended: URLSessionConfiguration {
    public static var `default`: URLSessionConfiguration { .default }
}

extension URLSessionConfiguration {
    public static var af: AlamofireExtension<URLSessionConfiguration>.Type {
        AlamofireExtension<URLSessionConfiguration>.self
    }
}
