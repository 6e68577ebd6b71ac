#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

#if os(macOS) || !canImport(Darwin)
/// Starts a program in a separate process group, so that a shell's children end with it, and with no signal blocked.
///
/// The child inherits only the three standard streams: a socket or pipe from another test would remain open there, and
/// its peer would never see the end.
///
/// - Parameters:
///   - errors: the file descriptor for the program's errors; `nil` discards them.
/// - Returns: An error number; 0 for success.
func spawn(
    _ identifier: inout pid_t,
    _ words: [UnsafeMutablePointer<CChar>?],
    _ variables: [UnsafeMutablePointer<CChar>?],
    input: Int32,
    output: Int32,
    errors: Int32?
) -> Int32 {
    guard let path = words[0] else { return EINVAL }
    #if os(macOS)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    let flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_CLOEXEC_DEFAULT)
    #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    let flags = Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP)
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    if let errors {
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
    } else {
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    #if !os(macOS)
    // Descriptors that aren't open are ignored.
    for descriptor in Int32(3)..<8192 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    #endif
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var noSignals = sigset_t()
    sigemptyset(&noSignals)
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, flags)
    return posix_spawn(&identifier, path, &actions, &attributes, words, variables)
}
#else
/// Doesn't start a program: simulators and devices don't support that.
func spawn(
    _ identifier: inout pid_t,
    _ words: [UnsafeMutablePointer<CChar>?],
    _ variables: [UnsafeMutablePointer<CChar>?],
    input: Int32,
    output: Int32,
    errors: Int32?
) -> Int32 {
    ENOSYS
}
#endif
