@_exported import Glibc

extension stat {
    public var st_mtimespec: timespec { st_mtim }
}
