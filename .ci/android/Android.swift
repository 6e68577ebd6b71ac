// The C library of Android, with the names of that of this machine.
@_exported import Glibc

// What Android declares in another way.
public var SOCK_STREAM: Int32 { 1 }
