import Foundation
import NetworkEngine
import TerminalProgress

extension Step {
    static let download = Step("download", "Downloads a file over a connection that breaks.") { stage in
        let (configuration, service, bar) = (stage.configuration, stage.service, stage.bar)
        let start = ContinuousClock.now
        // sample
        let provider = NetworkProvider<ServiceAPI>(
            interceptor: RetryPolicy(), configuration: configuration)
        let file = try await provider.download(.report) { received in
            bar.show(received)
        }
        bar.finish()
        // end
        defer { try? FileManager.default.removeItem(at: file) }
        let speed = TransferSpeed(service.report.count, since: start)
        try TourFailure.check(try Data(contentsOf: file) == service.report, "The file is not the report.")
        let range = service.values(of: "Range", in: "/report").joined(separator: ", ")
        return [
            "\(service.report.count.megabytes) arrive in a file, \(speed).",
            "The connection broke. Then: Range: \(range).",
        ]
    }
}
