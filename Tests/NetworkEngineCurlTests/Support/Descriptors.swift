#if os(Linux)
import Foundation

/// The file descriptors of this process.
enum Descriptors {
    /// Runs a closure while only one descriptor is free.
    ///
    /// An event loop needs two. The platform sometimes opens a file, and terminates the process if that fails.
    static func withOneFree<Value>(_ body: () async throws -> Value) async throws -> Value {
        let descriptors = __rlimit_resource_t(7)
        var limit = rlimit()
        getrlimit(descriptors, &limit)
        let used = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        var few = rlimit(rlim_cur: rlim_t(used + 16), rlim_max: limit.rlim_max)
        setrlimit(descriptors, &few)
        var taken: [Int32] = []
        while case let file = open("/dev/null", O_RDONLY), file >= 0 { taken.append(file) }
        if let last = taken.popLast() { close(last) }
        defer {
            for file in taken { close(file) }
            setrlimit(descriptors, &limit)
        }
        return try await body()
    }
}
#endif
