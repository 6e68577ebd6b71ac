import Foundation

/// The files that one call's exchanges write bodies to.
///
/// A retry, a redirect, or an interceptor that sends twice or fails after its response leaves a file that only this
/// session tracks. The start of an interrupted body instead passes from exchange to exchange.
package final class DownloadSession: Sendable {
    fileprivate struct State {
        /// The digest of the call's request, before interceptors and redirects.
        var request: String?
        var mayStartAgain = true
        var places: [URL] = []
        var partial: PartialFile?
        /// An earlier call's resume data.
        var earlier: ResumeData?
        var earlierPlace: URL?
        /// The resume data in the note.
        var noted: ResumeData?
        /// Whether there is resume data that no exchange has used yet.
        var expectsRest: Bool
        var hasRestarted = false
        var keepsPartial: Bool
        /// The number of exchanges that use a file.
        var users = 0
        /// Whether the call has ended, so that no exchange uses a file from now on.
        var isOver = false
        var isClosed = false
        /// The resume data of the partial file to keep.
        var kept: ResumeData?
    }

    let gate = PauseGate()
    private let folder: URL
    private let state: Locked<State>
    /// Receives the running download's resume data, or `nil` if it cannot be resumed.
    private let note: @Sendable (ResumeData?) -> Void
    private let ending = OneShot<Void>()

    /// - Parameters:
    ///   - keepsPartial: whether to keep the partial file when the call fails.
    ///   - note: receives the resume data of each body that starts, for another call.
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

    /// Records the call's request. Resume data from a request with a different query requires an entity tag.
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

    /// Whether the file restarted from the beginning although it had bytes.
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

    /// Takes over an exchange's file, which is removed unless it is the call's result.
    func adopt(_ place: URL) { state.withLock { $0.places.append(place) } }

    /// The start of a request's body, if there is one. The caller passes it on with `leave(_:)` or removes it.
    ///
    /// A body is resumed only at the URL that it came from. After a redirect this is the last hop's URL. An earlier
    /// call's body may belong to another sender.
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

    /// Passes the start of a body to the next exchange. If there are two, the longer one is kept.
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

    /// Records that a body starts, and its entity. Returns whether the file restarts from the beginning.
    ///
    /// - Parameter isRestart: whether bytes from an earlier exchange could not be resumed.
    func began(
        _ entity: DownloadEntity?,
        at place: URL,
        for request: HTTPRequest,
        isRestart: Bool
    ) -> Bool {
        let (data, isRestart) = state.withLock { state in
            // The earlier data belongs to another URL than the current one.
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

    /// Called when the call's outcome is decided, including by a cancellation or a deadline while the call is still
    /// running.
    ///
    /// Its files are final when the last exchange has finished with them.
    func end() {
        let isIdle = state.withLock { state in
            state.isOver = true
            return state.users == 0
        }
        // An interceptor may have hidden the call's cancellation from its exchange.
        gate.interrupt()
        if isIdle { finish() }
    }

    private func finish() {
        discard()
        close()
    }

    /// Waits until the files are final, even in a canceled task.
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

    /// Ends the session: its files remain unchanged, and it no longer holds a partial file.
    func close() {
        let (partial, kept) = state.withLock { state -> (PartialFile?, ResumeData?) in
            guard !state.isClosed else { return (nil, nil) }
            state.isClosed = true
            let partial = state.partial.take()
            state.kept = partial.map { state.resumeData($0.entity, from: $0.source, $0.sender, at: $0.place) }
            // With hedging, several bodies start. The note must refer to the one that is kept.
            return (partial, state.kept == state.noted ? nil : state.kept)
        }
        partial?.file.release()
        if let kept { note(kept) }
        ending.settle(())
    }

    /// The resume data of the kept file, once the call has ended; `nil` if none was kept.
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

    /// Drops an earlier call's resume data. Its file is removed if only this session's note refers to it.
    fileprivate mutating func dropEarlier(in folder: URL) {
        guard let place = earlier.take()?.file(in: folder), keepsPartial else { return }
        places.append(place)
    }
}
