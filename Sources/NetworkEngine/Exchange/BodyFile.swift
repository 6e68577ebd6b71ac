package import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A file that a body is read from or written to, kept open so that it cannot be replaced in the meantime.
package final class BodyFile: Sendable {
    let descriptor: Int32
    package let path: String
    /// The file's length when it was opened.
    package let length: Int64

    private init(descriptor: Int32, path: String, length: Int64) {
        self.descriptor = descriptor
        self.path = path
        self.length = length
    }

    deinit { close(descriptor) }

    /// Opens a file for reading. Folders and devices are rejected: on Linux reading them could block the network queue
    /// of the whole process.
    package static func reading(_ url: URL) throws -> BodyFile {
        guard url.isFileURL else { throw POSIXError(.EINVAL) }
        // Without O_NONBLOCK, opening a named pipe waits for a writer.
        let file = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw POSIXError.current }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw POSIXError(.EISDIR)
        }
        return BodyFile(descriptor: file, path: url.path, length: Int64(status.st_size))
    }

    /// The length of a file or a symbolic link's target; `nil` if it cannot be opened for reading.
    package static func length(of url: URL) -> Int64? { (try? reading(url))?.length }

    /// Creates a file that only this user can read. Fails if the file exists.
    package static func creating(_ url: URL) throws -> BodyFile {
        guard url.isFileURL else { throw POSIXError(.EINVAL) }
        let file = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw POSIXError.current }
        return BodyFile(descriptor: file, path: url.path, length: 0)
    }

    /// Opens a file created by `creating(_:)` for appending. It must have no other writer.
    package static func continuing(_ url: URL) throws -> BodyFile {
        guard url.isFileURL else { throw POSIXError(.EINVAL) }
        let file = open(url.path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard file >= 0 else { throw POSIXError.current }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            close(file)
            throw POSIXError(.EPERM)
        }
        let body = BodyFile(descriptor: file, path: url.path, length: Int64(status.st_size))
        try body.claim()
        return body
    }

    /// Prevents other exchanges, in this process and others, from resuming the file while it is open here.
    package func claim() throws {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw POSIXError.current }
    }

    /// Lets others resume the file. Closing it is not enough, because a child process that is just being created may
    /// also have it open.
    package func release() { flock(descriptor, LOCK_UN) }

    /// Keeps this number of bytes, and continues after them.
    func cut(to count: Int64) throws {
        guard ftruncate(descriptor, off_t(count)) == 0, lseek(descriptor, off_t(count), SEEK_SET) == off_t(count) else {
            throw POSIXError.current
        }
    }

    /// Removes the file's name. An open file remains readable.
    package func remove() { unlink(path) }

    /// Empties the file.
    func truncate() throws { try cut(to: 0) }

    /// Appends bytes.
    package func write(_ data: Data) throws {
        try data.withUnsafeBytes(write)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw POSIXError.current }
            rest = rest.dropFirst(written)
        }
    }

    /// Writes bytes at an offset without moving the file's shared position.
    func write(_ data: Data, at offset: Int64) throws {
        try data.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
                let written = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw POSIXError.current }
                done += written
            }
        }
    }

    /// Reads from an offset without moving the file's shared position.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw POSIXError.current }
        }
    }

    /// Reads exactly enough bytes to fill the buffer.
    package func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = try read(into: rest, at: offset + Int64(done))
            guard count > 0 else { throw ShorterThanAnnounced() }
            done += count
        }
    }

    /// The file became shorter than the announced length.
    package struct ShorterThanAnnounced: Error { package init() {} }
}

/// Calls the system's `write`, which a method of the class would shadow.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

extension POSIXError {
    static var current: POSIXError { POSIXError(Code(rawValue: errno) ?? .EIO) }
}

extension BodyFile {
    /// Replaces a file atomically with one that only its owner can read.
    package static func replace(_ url: URL, _ write: (BodyFile) throws -> Void) throws {
        let url = url.resolvingSymlinksInPath()
        let new = url.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString)")
        let file = try BodyFile.creating(new)
        do {
            try write(file)
            guard rename(new.path, url.path) == 0 else { throw POSIXError.current }
        } catch {
            file.remove()
            throw error
        }
    }
}

extension BodyFile {
    /// The length of a file and the time of its last change.
    package struct Version: Codable, Hashable, Sendable {
        package let length: Int64
        let seconds: Int64
        let nanoseconds: Int64

        fileprivate init(_ status: stat) {
            #if canImport(Darwin)
            let time = status.st_mtimespec
            #else
            let time = status.st_mtim
            #endif
            length = Int64(status.st_size)
            (seconds, nanoseconds) = (Int64(time.tv_sec), Int64(time.tv_nsec))
        }

        /// The time of the last change, in seconds since 1970.
        package var time: Double { Double(seconds) + Double(nanoseconds) / 1e9 }
    }

    /// The current version, which changes when the file is written.
    package func version() throws -> Version {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw POSIXError.current }
        return Version(status)
    }

    /// The version of a file, without opening it; `nil` for folders, links and missing files.
    package static func version(atPath path: String) -> Version? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Version(status)
    }
}
