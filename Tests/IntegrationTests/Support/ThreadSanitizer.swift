import Foundation

enum ThreadSanitizer {
    /// Whether it watches this process: then everything takes several times as long and as much memory.
    static let isWatching = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "__tsan_init") != nil
}
