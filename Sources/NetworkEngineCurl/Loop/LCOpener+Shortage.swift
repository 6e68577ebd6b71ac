import CLibcurl

extension LCOpener {
    /// Whether a failure of libcurl is due to the lack of descriptors.
    func explains(_ code: Int32) -> Bool {
        switch code {
        // No connection.
        case 7: isRefused
        // A name that did not resolve, and no memory for its resolution: the system needs sockets and files for it.
        case 6, 27: lc_lacks_descriptors()
        // The certificates of the policy, which are read when the connection is open.
        case 58, 77: isLast || lc_lacks_descriptors()
        default: false
        }
    }
}
