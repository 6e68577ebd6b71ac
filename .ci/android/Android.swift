// The C library of Android, with the names of that of this machine.
@_exported import Glibc
// Which of the two has the fields of a time depends on the module that is read first.
@_exported import SwiftOverlayShims

// What Android declares in another way.
public var SOCK_STREAM: Int32 { 1 }
