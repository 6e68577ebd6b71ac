// Android's C library, under the names of this machine's.
@_exported import Glibc
// Which of the two declares the time fields depends on the module that is read first.
@_exported import SwiftOverlayShims

// Declarations that differ on Android.
public var SOCK_STREAM: Int32 { 1 }
