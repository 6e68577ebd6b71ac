package import Foundation

/// The files that the exchanges of one call write bodies to.
///
/// A retry, a redirect, an interceptor that asks twice or fails after its answer: each leaves a file that nobody else
/// would know of. The beginning of a body that was cut off is handed from exchange to exchange instead.
package final class CallFiles: Sendable {
    private struct State {
        var places: [URL] = []
        var partial: PartialFile?
        /// What an earlier call has left.
        var earlier: ResumeData?
        var earlierPlace: URL?
        var latest: ResumeData?
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
        state = Locked(State(earlier: earlier, keepsPartial: keepsPartial))
    }

    /// A place for the body of another exchange.
    package func next() -> URL {
        let place = folder.freshFile
        state.withLock { $0.places.append(place) }
        return place
    }

    /// The beginning of the body that a request asks for, when there is one; whoever takes it leaves or removes it.
    package func takePartial(for request: HTTPRequest) -> PartialFile? {
        guard request.method == .get, !request.headers.contains("Range") else { return nil }
        let (partial, earlier) = state.withLock { ($0.partial.take(), $0.earlier.take()) }
        if let partial { return partial }
        guard let earlier, let place = earlier.file(in: folder) else { return nil }
        guard let entity = earlier.entity(for: request) else {
            // A note of our own that is about something else; what it leads to is wanted by nobody any more.
            state.withLock { if $0.keepsPartial { $0.places.append(place) } }
            return nil
        }
        guard let partial = PartialFile(resuming: entity, at: place) else { return nil }
        state.withLock { state in
            state.places.append(place)
            state.earlierPlace = place
            state.latest = earlier
        }
        return partial
    }

    /// Gives the beginning of a body to the next exchange; of two, the longer one.
    package func leave(_ partial: PartialFile) {
        let loser = state.withLock { state -> PartialFile? in
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
        let data = entity.map { ResumeData(entity: $0, fileName: place.lastPathComponent, request: request) }
        state.withLock { $0.latest = data }
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
        let partial = state.withLock { state -> PartialFile? in
            guard !state.isClosed else { return nil }
            state.isClosed = true
            state.kept = state.partial == nil ? nil : state.latest
            return state.partial.take()
        }
        partial?.file.release()
        ending.settle(())
    }

    /// How to go on with what was kept, once the call has ended; `nil` when nothing was.
    package func resumeData() async -> ResumeData? {
        guard (try? await ending.wait()) != nil else { return nil }
        return state.withLock { $0.kept }
    }
}
