import CLibcurl

extension LCOpener {
    /// Whether a libcurl failure is due to a lack of descriptors.
    func explains(_ code: Int32) -> Bool {
        switch code {
        // No connection.
        case 7: isRefused
        // A name that was not resolved, or a lack of memory during its resolution, because the system needs sockets and
        // files for it.
        case 6, 27: lc_lacks_descriptors()
        // The policy's certificates, which are read when the connection is open.
        case 58, 77: isLast || lc_lacks_descriptors()
        default: false
        }
    }
}
