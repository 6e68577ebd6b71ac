import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

extension BodyFile {
    /// The length of a file and the time of its last change.
    package struct Version: Codable, Hashable, Sendable {
        package let length: Int64
        let seconds: Int64
        let nanoseconds: Int64
    }

    /// The current version, which changes when the file is written.
    package func version() throws -> Version {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw POSIXError.current }
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        return Version(
            length: Int64(status.st_size), seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }
}
