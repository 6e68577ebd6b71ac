import Foundation

/// The files that the exchanges of one call write bodies to.
///
/// A retry, a redirect, or an interceptor that sends twice or fails after its answer leaves a file that only this
/// session knows. The beginning of an interrupted body passes from exchange to exchange instead.
package final class DownloadSession: Sendable {
    fileprivate struct State {
        /// The digest of the call's request, before interceptors and redirects.
        var request: String?
        var mayStartAgain = true
        var places: [URL] = []
        var partial: PartialFile?
        /// The resume data of an earlier call.
        var earlier: ResumeData?
        var earlierPlace: URL?
        /// The resume data in the note.
        var noted: ResumeData?
        /// Whether there is resume data that no exchange has continued yet.
        var expectsRest: Bool
        var hasRestarted = false
        var keepsPartial: Bool
        /// The number of exchanges that use a file.
        var users = 0
        /// Whether the call has ended, so that no exchange uses a file from now on.
        var isOver = false
        var isClosed = false
        /// The resume data of the partial file that is kept.
        var kept: ResumeData?
    }

    let gate = PauseGate()
    private let folder: URL
    private let state: Locked<State>
    /// Receives the resume data of the running download, or `nil` if it cannot be resumed.
    private let note: @Sendable (ResumeData?) -> Void
    private let ending = OneShot<Void>()

    /// - Parameters:
    ///   - keepsPartial: whether the partial file stays when the call fails.
    ///   - note: receives the resume data of each body that begins, for another call.
    init(
        folder: URL = FileManager.default.temporaryDirectory,
        resuming earlier: ResumeData? = nil,
        keepsPartial: Bool = false,
        note: @escaping @Sendable (ResumeData?) -> Void = { _ in }
    ) {
        self.folder = folder
        self.note = note
        state = Locked(State(earlier: earlier, noted: earlier, expectsRest: earlier != nil, keepsPartial: keepsPartial))
    }

    /// Records the call's request. Resume data of a request with another query needs an entity tag.
    func begin(_ request: HTTPRequest) {
        let digest = ResumeData.digest(of: request)
        state.withLock { state in
            state.request = digest
            state.mayStartAgain = request.isRepeatable
            if let earlier = state.earlier, !earlier.isUsable(for: digest) { state.dropEarlier(in: folder) }
        }
    }

    /// Whether the call's request may be sent again after a pause.
    var mayStartAgain: Bool { state.withLock { $0.mayStartAgain } }

    /// Whether the file began again although bytes of it were there.
    var hasRestarted: Bool { state.withLock { $0.hasRestarted } }

    /// Runs the part of an exchange that uses a file. Throws `CancellationError` after the end of the call.
    func withFile<Value>(_ work: () async throws -> Value) async throws -> Value {
        let mayBegin = state.withLock { state in
            if !state.isOver { state.users += 1 }
            return !state.isOver
        }
        guard mayBegin else { throw CancellationError() }
        defer {
            let isLast = state.withLock { state in
                state.users -= 1
                return state.isOver && state.users == 0
            }
            if isLast { finish() }
        }
        return try await work()
    }

    /// A new file for the body of an exchange.
    func next() -> URL {
        let place = folder.freshFile
        adopt(place)
        return place
    }

    /// Takes over a file of an exchange, which is removed unless it is the result of the call.
    func adopt(_ place: URL) { state.withLock { $0.places.append(place) } }

    /// The beginning of the body of a request, if there is one. The caller passes it on with `leave(_:)` or removes it.
    ///
    /// A body is continued only at the address that it came from. After a redirect this is the address of the last hop.
    /// That of an earlier call can be one of another sender.
    func takePartial(for request: HTTPRequest) -> PartialFile? {
        guard request.method == .get, !request.headers.contains("Range") else { return nil }
        let source = request.source
        let (partial, earlier) = state.withLock { state -> (PartialFile?, ResumeData?) in
            if state.partial?.source == source { return (state.partial.take(), nil) }
            guard let earlier = state.earlier, earlier.source == source, earlier.isUsable(forSenderOf: request) else {
                return (nil, nil)
            }
            return (nil, state.earlier.take())
        }
        if let partial { return partial }
        guard let earlier, let entity = earlier.entity, let place = earlier.file(in: folder),
            let partial = PartialFile(resuming: entity, of: request, at: place)
        else { return nil }
        state.withLock { state in
            state.places.append(place)
            state.earlierPlace = place
            state.expectsRest = false
        }
        return partial
    }

    /// Passes the beginning of a body to the next exchange. Of two, the longer one is kept.
    func leave(_ partial: PartialFile) {
        let loser = state.withLock { state -> PartialFile? in
            // After the call nothing else would remove it.
            if state.isClosed { return partial }
            guard let other = state.partial, other.count > partial.count else {
                defer { state.partial = partial }
                return state.partial
            }
            return partial
        }
        loser?.file.remove()
    }

    /// Records that a body begins, and its entity. Returns whether the file begins again.
    ///
    /// - Parameter isRestart: whether bytes of an earlier exchange could not be continued.
    func began(
        _ entity: DownloadEntity?,
        at place: URL,
        for request: HTTPRequest,
        isRestart: Bool
    ) -> Bool {
        let (data, isRestart) = state.withLock { state in
            // The earlier data belongs to another address than the current one.
            state.dropEarlier(in: folder)
            let isRestart = isRestart || state.expectsRest
            state.expectsRest = false
            state.hasRestarted = state.hasRestarted || isRestart
            let data = entity.map { state.resumeData($0, from: request.source, request.senderDigest, at: place) }
            state.noted = data
            return (data, isRestart)
        }
        note(data)
        return isRestart
    }

    /// Keeps the partial file when the call ends.
    func keepPartial() { state.withLock { $0.keepsPartial = true } }

    /// The outcome of the call is decided, also by a cancellation or a deadline while the call is still running.
    ///
    /// Its files are final when the last exchange has left them.
    func end() {
        let isIdle = state.withLock { state in
            state.isOver = true
            return state.users == 0
        }
        // An interceptor may have kept the cancellation of the call from its exchange.
        gate.interrupt()
        if isIdle { finish() }
    }

    private func finish() {
        discard()
        close()
    }

    /// Waits until the files are final, also in a canceled task.
    func ended() async { await ending.settled() }

    /// Removes all files except the call's result and the partial file to keep. Does nothing after `close()`.
    func discard(except answer: ResponseBody? = nil) {
        let (places, kept) = state.withLock { state -> ([URL], URL?) in
            if state.isClosed { return ([], nil) }
            let place = state.partial?.place
            let isKept = answer == nil && (state.keepsPartial || (place != nil && place == state.earlierPlace))
            if !isKept { state.partial = nil }
            return (state.places, isKept ? place : nil)
        }
        for place in places where place.path != kept?.path {
            if case .file(place) = answer { continue }
            try? FileManager.default.removeItem(at: place)
        }
    }

    /// Ends the session: its files stay as they are, and it holds no partial file any more.
    func close() {
        let (partial, kept) = state.withLock { state -> (PartialFile?, ResumeData?) in
            guard !state.isClosed else { return (nil, nil) }
            state.isClosed = true
            let partial = state.partial.take()
            state.kept = partial.map { state.resumeData($0.entity, from: $0.source, $0.sender, at: $0.place) }
            // With hedging several bodies begin. The note must name the one that is kept.
            return (partial, state.kept == state.noted ? nil : state.kept)
        }
        partial?.file.release()
        if let kept { note(kept) }
        ending.settle(())
    }

    /// The resume data of the file that was kept, once the call has ended; `nil` if none was.
    func resumeData() async -> ResumeData? {
        guard (try? await ending.wait()) != nil else { return nil }
        return state.withLock { $0.kept }
    }
}

extension DownloadSession.State {
    /// The resume data of a body of this call.
    fileprivate func resumeData(
        _ entity: DownloadEntity,
        from source: String,
        _ sender: String?,
        at place: URL
    ) -> ResumeData {
        ResumeData(
            entity: entity, fileName: place.lastPathComponent, request: request ?? source, source: source,
            sender: sender)
    }

    /// Drops the resume data of an earlier call. Its file is removed if only this session's note names it.
    fileprivate mutating func dropEarlier(in folder: URL) {
        guard let place = earlier.take()?.file(in: folder), keepsPartial else { return }
        places.append(place)
    }
}
