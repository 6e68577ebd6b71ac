// On Apple platforms, Foundation exports Core Foundation. Its types are separate classes, and values are converted with `as`,
// which this compiler supports only for Foundation classes. `.ci/apple-sources` adds the rest of the conversion.
public import Dispatch
public import Foundation

public typealias CFTypeRef = AnyObject
public typealias CFTypeID = UInt
public typealias CFIndex = Int
public typealias CFAllocator = AnyObject

public final class CFData: NSData {}
public final class CFArray: NSArray {}
public final class CFDictionary: NSDictionary {}
public final class CFWriteStream: OutputStream {}

// Foundation doesn't have an initializer that a subclass could call.
public final class CFString: NSString {
    public required convenience init(string: String) { preconditionFailure("A stub") }
    public required convenience init?(coder: NSCoder) { preconditionFailure("A stub") }
    public required convenience init(unicodeScalarLiteral value: StaticString) { preconditionFailure("A stub") }
    public required convenience init(extendedGraphemeClusterLiteral value: StaticString) { preconditionFailure("A stub") }
    public required convenience init(stringLiteral value: StaticString) { preconditionFailure("A stub") }
}

public final class CFError: Error, Sendable {}
public func CFErrorGetCode(_ err: CFError!) -> CFIndex { 0 }
public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID { 0 }

public func CFWriteStreamSetDispatchQueue(_ stream: CFWriteStream!, _ q: DispatchQueue!) {}

public final class CFRunLoop: Sendable {}

public struct CFRunLoopMode: RawRepresentable {
    public let rawValue: CFString
    public init(rawValue: CFString) { self.rawValue = rawValue }
    public static var commonModes: CFRunLoopMode { CFRunLoopMode(rawValue: CFString(string: "")) }
}

public func CFRunLoopGetCurrent() -> CFRunLoop! { nil }
public func CFRunLoopPerformBlock(_ rl: CFRunLoop!, _ mode: CFTypeRef!, _ block: (@Sendable () -> Void)!) {}
public func CFRunLoopWakeUp(_ rl: CFRunLoop!) {}
