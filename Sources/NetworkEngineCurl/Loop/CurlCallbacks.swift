import CLibcurl

/// What libcurl calls, with a slot as context; always on the thread of its loop.
enum CurlCallbacks {
    static let header: LCDataCallback = { bytes, size, count, context in
        slot(context).receivedLine(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
    }

    static let write: LCDataCallback = { bytes, size, count, context in
        slot(context).receivedBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
    }

    static let read: LCDataCallback = { bytes, size, count, context in
        slot(context).send(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count)) ?? LC_READ_ABORT
    }

    static let seek: LCSeekCallback = { context, offset, origin in
        Int32(origin == SEEK_SET && slot(context).seek(to: offset) ? LC_SEEK_OK : LC_SEEK_FAIL)
    }

    static let prereq: LCPrereqCallback = { context, _, _, _, _ in
        Int32(slot(context).maySend() ? LC_PREREQ_OK : LC_PREREQ_ABORT)
    }

    private static let SEEK_SET: Int32 = 0

    private static func slot(_ context: UnsafeMutableRawPointer?) -> CurlSlot {
        guard let context else { preconditionFailure("Every handle has its slot") }
        return Unmanaged.fromOpaque(context).takeUnretainedValue()
    }
}
