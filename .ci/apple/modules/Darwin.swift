@_exported import Glibc

// Here, Foundation exports the Linux C library. `.ci/apple-sources` looks up the following names in this module.

// Not the Linux type: its fields can belong to a module other than the imported one.
public struct DarwinTime {
    public var tv_sec: Int
    public var tv_nsec: Int
}
extension stat {
    public var st_mtimespec: DarwinTime { DarwinTime(tv_sec: st_mtim.tv_sec, tv_nsec: st_mtim.tv_nsec) }
}

public struct sockaddr_in {
    public var sin_len: UInt8 = 0
    public var sin_family: sa_family_t = 0
    public var sin_port: in_port_t = 0
    public var sin_addr = in_addr()
    public init() {}
}

public struct sockaddr_in6 {
    public var sin6_len: UInt8 = 0
    public var sin6_family: sa_family_t = 0
    public var sin6_port: in_port_t = 0
    public var sin6_flowinfo: UInt32 = 0
    public var sin6_addr = in6_addr()
    public var sin6_scope_id: UInt32 = 0
    public init() {}
}

public let SOCK_STREAM: Int32 = 1
public let SOCK_DGRAM: Int32 = 2
public let IPPROTO_TCP: Int32 = 6
public let SHUT_RD: Int32 = 0
public let SHUT_WR: Int32 = 1
public let SHUT_RDWR: Int32 = 2
public let SO_NOSIGPIPE: Int32 = 0x1022

public struct _opaque_pthread_t {}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
public func pthread_create(
    _ thread: UnsafeMutablePointer<pthread_t?>!,
    _ attributes: UnsafePointer<pthread_attr_t>?,
    _ start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 { 0 }
public func pthread_join(_ thread: pthread_t, _ value: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> Int32 { 0 }
public func pthread_detach(_ thread: pthread_t) -> Int32 { 0 }
public func pthread_equal(_ one: pthread_t!, _ other: pthread_t!) -> Int32 { 0 }
public func pthread_self() -> pthread_t! { nil }

public typealias posix_spawn_file_actions_t = UnsafeMutableRawPointer
public typealias posix_spawnattr_t = UnsafeMutableRawPointer
public let POSIX_SPAWN_CLOEXEC_DEFAULT: Int32 = 0x4000
public let POSIX_SPAWN_SETPGROUP: Int32 = 0x0002
public let POSIX_SPAWN_SETSIGMASK: Int32 = 0x0008
@discardableResult
public func posix_spawn_file_actions_init(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!) -> Int32 { 0 }
@discardableResult
public func posix_spawn_file_actions_destroy(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!) -> Int32 { 0 }
@discardableResult
public func posix_spawn_file_actions_adddup2(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _ from: Int32, _ to: Int32
) -> Int32 { 0 }
@discardableResult
public func posix_spawn_file_actions_addopen(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _ descriptor: Int32, _ path: UnsafePointer<CChar>!,
    _ flags: Int32, _ mode: mode_t
) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_init(_ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_destroy(_ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_setsigmask(
    _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!, _ signals: UnsafePointer<sigset_t>!
) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_setpgroup(_ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!, _ group: pid_t) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_setflags(_ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!, _ flags: Int16) -> Int32 { 0 }
@discardableResult
public func posix_spawn(
    _ process: UnsafeMutablePointer<pid_t>!, _ path: UnsafePointer<CChar>!,
    _ actions: UnsafePointer<posix_spawn_file_actions_t?>!, _ attributes: UnsafePointer<posix_spawnattr_t?>!,
    _ words: UnsafePointer<UnsafeMutablePointer<CChar>?>!, _ variables: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { 0 }

@available(*, unavailable) public let MSG_NOSIGNAL: Int32 = 0
@available(*, unavailable) public let MSG_MORE: Int32 = 0
@available(*, unavailable) public let SOCK_CLOEXEC: Int32 = 0
@available(*, unavailable) public let SOCK_NONBLOCK: Int32 = 0
@available(*, unavailable) public let POLLRDHUP: Int32 = 0
@available(*, unavailable) public let O_TMPFILE: Int32 = 0
@available(*, unavailable) public let O_PATH: Int32 = 0
@available(*, unavailable) public let EPOLLIN: Int32 = 0
@available(*, unavailable) public let PR_SET_PDEATHSIG: Int32 = 0
@available(*, unavailable) public func accept4(_: Int32, _: UnsafeMutablePointer<sockaddr>?, _: UnsafeMutablePointer<socklen_t>?, _: Int32) -> Int32 { 0 }
@available(*, unavailable) public func pipe2(_: UnsafeMutablePointer<Int32>?, _: Int32) -> Int32 { 0 }
@available(*, unavailable) public func epoll_create1(_: Int32) -> Int32 { 0 }
@available(*, unavailable) public func eventfd(_: UInt32, _: Int32) -> Int32 { 0 }
@available(*, unavailable) public func prctl(_: Int32, _: Int) -> Int32 { 0 }
@available(*, unavailable) public func gettid() -> Int32 { 0 }
@available(*, unavailable) public func getrandom(_: UnsafeMutableRawPointer?, _: Int, _: UInt32) -> Int { 0 }
@available(*, unavailable) public func posix_fallocate(_: Int32, _: off_t, _: off_t) -> Int32 { 0 }
@available(*, unavailable) public func fdatasync(_: Int32) -> Int32 { 0 }
