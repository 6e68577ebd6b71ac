import Foundation
import NetworkEngine

/// Runs the demo's steps, and writes their recording.
package struct Tour: Sendable {
    /// The demo's exit codes.
    package enum Status {
        package static let success: Int32 = 0
        package static let failure: Int32 = 1
        package static let usage: Int32 = 2
    }

    private let console: Console
    private let steps: [Step]

    package init(console: Console, steps: [Step] = Step.all) {
        self.console = console
        self.steps = steps
    }

    /// Runs the demo with command-line arguments, and returns the exit code.
    package func run(_ arguments: [String], environment: [String: String]) async -> Int32 {
        let options: TourOptions
        do {
            options = try TourOptions(arguments, steps: steps.map(\.name))
        } catch {
            console.writeError("demo: \(error.message)\n")
            return Status.usage
        }
        let screen = Screen(isPlain: console.isPlain(options, environment), write: console.write)
        switch options.action {
        case .help: console.write(TourOptions.help)
        case .list: for step in steps { screen.entry(step.name, step.title) }
        case .run:
            do {
                return try await run(options, on: screen) ? Status.success : Status.failure
            } catch {
                console.writeError("demo: \(error)\n")
                return Status.failure
            }
        }
        return Status.success
    }

    /// Runs the steps, and returns whether all of them succeeded.
    private func run(_ options: TourOptions, on screen: Screen) async throws -> Bool {
        let service = try DemoService()
        defer { service.stop() }
        let recording = SessionRecording()
        let steps = steps.filter { options.steps.isEmpty || options.steps.contains($0.name) }
        let count = steps.count == 1 ? "1 step" : "\(steps.count) steps"
        screen.heading("NetworkEngine in \(count), with a service in this process (\(service.address))")
        screen.print()
        var isSuccess = true
        let clock = ContinuousClock()
        let start = clock.now
        for step in steps {
            isSuccess = await run(step, service, recording, options, on: screen) && isSuccess
        }
        let time = clock.now - start
        if !options.showsCode { screen.print() }
        let files = try recording.write(to: URL(fileURLWithPath: options.folder, isDirectory: true))
        screen.print("\(count) in \(time.inWords). Every call is recorded in")
        for file in files { screen.print("   \(options.folder)/\(file.name)  \(file.use)") }
        return isSuccess
    }

    private func run(
        _ step: Step,
        _ service: DemoService,
        _ recording: SessionRecording,
        _ options: TourOptions,
        on screen: Screen
    ) async -> Bool {
        let configuration = recording.configuration(for: service.url)
        let stage = Stage(service: service, configuration: configuration, bar: screen.bar(for: step.name))
        let clock = ContinuousClock()
        let start = clock.now
        screen.begin(step)
        do {
            let lines = try await step.run(stage)
            let time = clock.now - start
            let code = options.showsCode ? try step.code() : nil
            screen.end(step, lines, time: time)
            if let code { screen.code(code) }
            return true
        } catch {
            screen.fail(step, time: clock.now - start)
            console.writeError("demo: The step \"\(step.name)\" failed. \(error)\n")
            return false
        }
    }
}
