import CLibcurl

extension CurlCallbacks {
    /// The callbacks with a slot as their context.
    static var ofSlot: Self {
        Self(header: header, write: write, read: read, seek: seek, prereq: prereq, trailers: trailers)
    }

    private static let header: LCDataCallback = { bytes, size, count, context in
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        // Called for each line, so it avoids retaining and releasing the slot.
        return reference(context)._withUnsafeGuaranteedRef { $0.receivedLine(line) } ? size * count : 0
    }

    private static let write: LCDataCallback = { bytes, size, count, context in
        switch slot(context).receivedBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) {
        case .taken: size * count
        case .later: LC_WRITE_PAUSE
        case .end: 0
        }
    }

    private static let read: LCDataCallback = { bytes, size, count, context in
        switch slot(context).send(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count)) {
        case .bytes(let count): count
        case .later: LC_READ_PAUSE
        case .failed: LC_READ_ABORT
        }
    }

    private static let seek: LCSeekCallback = { context, offset, origin in
        Int32(origin == fromStart && slot(context).seek(to: offset) ? LC_SEEK_OK : LC_SEEK_FAIL)
    }

    private static let prereq: LCPrereqCallback = { context, remote, local, remotePort, localPort in
        Int32(slot(context).maySend(local, localPort, remote, remotePort) ? LC_PREREQ_OK : LC_PREREQ_ABORT)
    }

    private static let trailers: LCTrailerCallback = { list, context in
        guard let list, let upload = slot(context).task?.upload else { return Int32(LC_TRAILERS_ABORT) }
        let isComplete = upload.trailers.withUnsafeBytes { lines in
            lc_list_append(list, lines.baseAddress?.assumingMemoryBound(to: CChar.self), lines.count)
        }
        return Int32(isComplete ? LC_TRAILERS_OK : LC_TRAILERS_ABORT)
    }

    private static let fromStart: Int32 = 0

    private static func slot(_ context: UnsafeMutableRawPointer?) -> CurlSlot {
        reference(context).takeUnretainedValue()
    }

    private static func reference(_ context: UnsafeMutableRawPointer?) -> Unmanaged<CurlSlot> {
        guard let context else { preconditionFailure("Every handle has its slot") }
        return Unmanaged.fromOpaque(context)
    }
}
