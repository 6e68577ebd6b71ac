import Foundation

package enum ThreadSanitizer {
    /// Whether this process runs under ThreadSanitizer, which slows it down and increases its memory.
    package static let isWatching = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "__tsan_init") != nil
}
