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
/// Starts a program in a group of its own, so that the children of a shell end with it, and with no signal blocked.
///
/// The child has the three standard streams alone: a socket or pipe of another test would stay open there, and its peer
/// would never see its end.
///
/// - Parameters:
///   - errors: where the program writes errors; `nil` discards them.
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
    // Descriptors that are not open are ignored.
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
/// Starts no program: simulators and devices run none.
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
