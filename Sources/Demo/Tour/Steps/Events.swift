import NetworkEngine
import NetworkEngineStreams

extension Step {
    static let events = Step("events", "Receives live events over two connections.") { stage in
        let configuration = stage.configuration
        // sample
        let provider = NetworkProvider<ServiceAPI>(configuration: configuration)
        var builds = provider.events(.builds, as: Build.self)
        builds.events.minimumRetryDelay = .milliseconds(20)
        var states: [String] = []
        for try await build in builds { states.append(build.state) }
        // end
        try TourFailure.check(states.count == 6, "The events are \(states).")
        let positions = stage.service.values(of: "Last-Event-ID", in: "/builds")
        return [
            states.joined(separator: ", ") + ".",
            "It reconnects after event \(positions.joined(separator: " and ")).",
        ]
    }
}
