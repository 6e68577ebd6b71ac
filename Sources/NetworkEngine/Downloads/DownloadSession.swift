package import Foundation

/// The files that the exchanges of one call write bodies to.
///
/// A retry, a redirect, an interceptor that asks twice or fails after its answer: each leaves a file that nobody else
/// would know of. The beginning of a body that was cut off is handed from exchange to exchange instead.
package final class DownloadSession: Sendable {
    fileprivate struct State {
        /// The digest of the call's request, before interceptors and redirects.
        var request: String?
        var places: [URL] = []
        var partial: PartialFile?
        /// What an earlier call has left.
        var earlier: ResumeData?
        var earlierPlace: URL?
        /// What the note says.
        var noted: ResumeData?
        var keepsPartial: Bool
        var isClosed = false
        /// How to go on with what was kept.
        var kept: ResumeData?
    }

    package let gate = PauseGate()
    private let folder: URL
    private let state: Locked<State>
    /// Told how to go on with what is being downloaded, or that there is no way.
    private let note: @Sendable (ResumeData?) -> Void
    private let ending = OneShot<Void>()

    /// - Parameters:
    ///   - keepsPartial: whether what came stays when the call fails.
    ///   - note: told of every body that begins, how to go on with it in another call.
    package init(
        folder: URL = FileManager.default.temporaryDirectory,
        resuming earlier: ResumeData? = nil,
        keepsPartial: Bool = false,
        note: @escaping @Sendable (ResumeData?) -> Void = { _ in }
    ) {
        self.folder = folder
        self.note = note
        state = Locked(State(earlier: earlier, noted: earlier, keepsPartial: keepsPartial))
    }

    /// Records the call's request. What an earlier call has left is used only if its request was the same.
    package func begin(_ request: HTTPRequest) {
        let digest = ResumeData.digest(of: request)
        state.withLock { state in
            state.request = digest
            if state.earlier?.request != digest { state.dropEarlier(in: folder) }
        }
    }

    /// A place for the body of another exchange.
    package func next() -> URL {
        let place = folder.freshFile
        state.withLock { $0.places.append(place) }
        return place
    }

    /// The beginning of the body that a request asks for, when there is one; whoever takes it leaves or removes it.
    ///
    /// A body is continued only at the address that it came from. Behind a redirect this is the address of the last hop.
    package func takePartial(for request: HTTPRequest) -> PartialFile? {
        guard request.method == .get, !request.headers.contains("Range") else { return nil }
        let source = request.source
        let (partial, earlier) = state.withLock { state -> (PartialFile?, ResumeData?) in
            if state.partial?.source == source { return (state.partial.take(), nil) }
            return (nil, state.earlier?.source == source ? state.earlier.take() : nil)
        }
        if let partial { return partial }
        guard let earlier, let entity = earlier.entity, let place = earlier.file(in: folder),
            let partial = PartialFile(resuming: entity, from: source, at: place)
        else { return nil }
        state.withLock { state in
            state.places.append(place)
            state.earlierPlace = place
        }
        return partial
    }

    /// Gives the beginning of a body to the next exchange; of two, the longer one.
    package func leave(_ partial: PartialFile) {
        let loser = state.withLock { state -> PartialFile? in
            // After the call nobody would know of it any more.
            if state.isClosed { return partial }
            guard let other = state.partial, other.count > partial.count else {
                defer { state.partial = partial }
                return state.partial
            }
            return partial
        }
        loser?.file.remove()
    }

    /// Notes that a body begins, and what it is.
    package func began(_ entity: DownloadEntity?, at place: URL, for request: HTTPRequest) {
        let data = state.withLock { state in
            // It belongs to another address than the one that answers now.
            state.dropEarlier(in: folder)
            let data = entity.map { state.resumeData($0, from: request.source, at: place) }
            state.noted = data
            return data
        }
        note(data)
    }

    /// Lets what came stay when the call ends.
    package func keepPartial() { state.withLock { $0.keepsPartial = true } }

    /// Removes them all, but for the one that is the call's answer and what is to be gone on with.
    package func discard(except answer: ResponseBody? = nil) {
        let (places, kept) = state.withLock { state -> ([URL], URL?) in
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

    /// Says that the call has ended: its files stay as they are, and nobody here holds one any more.
    package func close() {
        let (partial, kept) = state.withLock { state -> (PartialFile?, ResumeData?) in
            guard !state.isClosed else { return (nil, nil) }
            state.isClosed = true
            let partial = state.partial.take()
            state.kept = partial.map { state.resumeData($0.entity, from: $0.source, at: $0.place) }
            // With hedging several bodies begin. The note must name the one that is kept.
            return (partial, state.kept == state.noted ? nil : state.kept)
        }
        partial?.file.release()
        if let kept { note(kept) }
        ending.settle(())
    }

    /// How to go on with what was kept, once the call has ended; `nil` when nothing was.
    package func resumeData() async -> ResumeData? {
        guard (try? await ending.wait()) != nil else { return nil }
        return state.withLock { $0.kept }
    }
}

extension DownloadSession.State {
    /// How to go on with a body of this call.
    fileprivate func resumeData(_ entity: DownloadEntity, from source: String, at place: URL) -> ResumeData {
        ResumeData(entity: entity, fileName: place.lastPathComponent, request: request ?? source, source: source)
    }

    /// Forgets what an earlier call has left. Its file is removed if only our own note names it.
    fileprivate mutating func dropEarlier(in folder: URL) {
        guard let place = earlier.take()?.file(in: folder), keepsPartial else { return }
        places.append(place)
    }
}
