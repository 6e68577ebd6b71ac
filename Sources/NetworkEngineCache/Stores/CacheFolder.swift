import Foundation
import NetworkEngine

/// A store's folder: its file names, and the files.
///
/// - `<address>.<slot>`: the record of an entry. Each address has a fixed number of slots for its variants, so that an
///   entry is found without an index.
/// - `<address>.<slot>-<random>`: the body of the entry, if it is long.
/// - `tmp-<random>`: a file being written, locked by its writer.
/// - `salt`: random bytes for hashing all names.
///
/// Files appear complete, by renaming. Processes that share the folder need no further coordination.
struct CacheFolder: Sendable {
    let path: String
    private let salt: [UInt8]

    static let slotCount = 16

    /// Opens or creates the folder, which only this user can read.
    init(_ url: URL) throws {
        path = url.appendingPathComponent("responses-1", isDirectory: true).path
        try Self.create(path)
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
            throw POSIXError(.EPERM)
        }
        if status.st_mode & 0o077 != 0 { chmod(path, 0o700) }
        salt = try Self.salt(in: path)
    }

    // MARK: Names

    /// The prefix of all names for a URL: a digest of its origin, and one of the URL.
    func name(of key: CacheKey) -> String { prefix(ofOrigin: key.origin) + digest("address " + key.address).prefix(32) }

    func prefix(ofOrigin origin: String) -> String { String(digest("origin " + origin).prefix(16)) }

    func slotName(_ name: String, _ slot: Int) -> String { name + "." + String(slot, radix: 16) }

    func freshBodyName(for slotName: String) -> String { slotName + "-" + Self.random }

    func path(of name: String) -> String { path + "/" + name }

    func url(of name: String) -> URL { URL(fileURLWithPath: path(of: name), isDirectory: false) }

    private func digest(_ text: String) -> String { SHA256.digest(of: salt + Array(text.utf8)).hexadecimal }

    private static var random: String { UUID().uuidString.replacingOccurrences(of: "-", with: "") }

    // MARK: Files

    private static func create(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// A new file to write, locked by its writer. A deleted folder is created again with the same salt.
    func temporaryFile() throws -> BodyFile {
        let file: BodyFile
        do {
            file = try BodyFile.creating(url(of: "tmp-" + Self.random))
        } catch let error as POSIXError where error.code == .ENOENT {
            try Self.create(path)
            try Self.write(salt, in: path)
            file = try BodyFile.creating(url(of: "tmp-" + Self.random))
        }
        do {
            try file.claim()
        } catch {
            file.remove()
            throw error
        }
        return file
    }

    func exists(_ name: String) -> Bool { access(path(of: name), F_OK) == 0 }

    func remove(_ name: String) { unlink(path(of: name)) }

    func markUsed(_ name: String) { utimes(path(of: name), nil) }

    func rename(_ file: BodyFile, to name: String) throws {
        guard systemRename(file.path, path(of: name)) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// The names of all files; empty if the folder has been deleted.
    func names() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

    /// A file's size and the time of its last use, in seconds.
    func attributes(of name: String) -> (size: Int64, lastUse: Double)? {
        BodyFile.version(atPath: path(of: name)).map { ($0.length, $0.time) }
    }

    /// The bytes of a small file; `nil` if it is missing or longer than any record.
    func content(of name: String) -> Data? {
        guard let file = try? BodyFile.reading(url(of: name)), file.length <= Self.longestRecord else { return nil }
        var data = Data(count: Int(file.length))
        guard (try? data.withUnsafeMutableBytes({ try file.fill($0, at: 0) })) != nil else { return nil }
        return data
    }

    /// Writes a small file, which appears complete under its name.
    func write(_ data: Data, as name: String) throws {
        guard data.count <= Self.longestRecord else { throw POSIXError(.EFBIG) }
        let file = try temporaryFile()
        do {
            try file.write(data)
            try rename(file, to: name)
        } catch {
            file.remove()
            throw error
        }
    }

    static let longestRecord = 1 << 20

    // MARK: Salt

    private static func salt(in path: String) throws -> [UInt8] {
        let name = path + "/salt"
        for _ in 0..<3 {
            if let salt = readSalt(name) { return salt }
            unlink(name)
            var generator = SystemRandomNumberGenerator()
            try write((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }, in: path)
        }
        throw POSIXError(.EIO)
    }

    private static func write(_ salt: [UInt8], in path: String) throws {
        let file = try BodyFile.creating(URL(fileURLWithPath: path + "/tmp-" + random, isDirectory: false))
        defer { file.remove() }
        try file.write(Data(salt + Checksum.of(salt).bytes))
        // Unlike a rename, a link does not replace the file of a process that was faster.
        link(file.path, path + "/salt")
    }

    private static func readSalt(_ name: String) -> [UInt8]? {
        guard let file = try? BodyFile.reading(URL(fileURLWithPath: name, isDirectory: false)), file.length == 40 else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: 40)
        guard (try? bytes.withUnsafeMutableBytes({ try file.fill($0, at: 0) })) != nil else { return nil }
        let salt = Array(bytes.prefix(32))
        return Checksum.of(salt).bytes == Array(bytes.suffix(8)) ? salt : nil
    }
}

/// Calls the system's `rename`, which a method would shadow.
private func systemRename(_ old: String, _ new: String) -> Int32 { rename(old, new) }

extension UInt64 {
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: littleEndian, Array.init) }
}
