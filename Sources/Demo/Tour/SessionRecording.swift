import Foundation
import NetworkEngine
import NetworkEngineObservation

/// Records the tour's calls, and writes them as a timeline and as an archive.
struct SessionRecording: Sendable {
    struct File {
        let name: String
        let use: String
    }

    private let archive = HARRecorder(limit: 2_000)
    private let timeline = TimelineReport()

    /// A configuration that sends all calls to a service and records them.
    func configuration(for service: URL) -> NetworkConfiguration {
        var configuration = NetworkConfiguration()
        configuration.baseURL = { _ in service }
        configuration.observers = [archive, timeline]
        return configuration
    }

    /// Writes both files into a folder, which is created if it is missing.
    func write(to folder: URL) throws -> [File] {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try timeline.write(to: folder.appendingPathComponent("timeline.html"))
            try archive.write(to: folder.appendingPathComponent("session.har"))
        } catch {
            throw TourFailure("The folder \(folder.path) cannot be written. \(error.localizedDescription)")
        }
        return [
            File(name: "timeline.html", use: "(open it in a browser)"),
            File(name: "session.har", use: "  (import it into a browser's network panel)"),
        ]
    }
}
