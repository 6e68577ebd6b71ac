import CLibcurl

/// A multi handle with some of the sockets.
///
/// For each send and receive libcurl searches all connections of the multi handle, so that each has few.
final class CurlSocketGroup {
    static let capacity = 256

    let multi: OpaquePointer
    private(set) var count = 0
    /// The number of connections that are not open yet. Only they need work by libcurl.
    private(set) var opening = 0

    /// - Returns: `nil` if memory or descriptors are short.
    init?() {
        guard let multi = lc_multi_create() else { return nil }
        self.multi = multi
        _ = lc_multi_set_number(multi, Int32(LC_MULTI_QUICK_EXIT), 1)
    }

    deinit { lc_multi_destroy(multi) }

    /// - Returns: whether libcurl takes the handle.
    func open(_ easy: OpaquePointer) -> Bool {
        guard lc_multi_add(multi, easy) == 0 else { return false }
        (count, opening) = (count + 1, opening + 1)
        return true
    }

    func opened() { opening -= 1 }

    func remove(_ easy: OpaquePointer, isOpen: Bool) {
        _ = lc_multi_remove(multi, easy)
        count -= 1
        if !isOpen { opening -= 1 }
    }
}
