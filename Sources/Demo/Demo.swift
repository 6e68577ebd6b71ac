import DemoTour
import Foundation

/// A guided tour of the framework: `swift run demo --help`.
@main
struct Demo {
    static func main() async {
        // A proxy cannot reach the service in this process.
        setenv("no_proxy", "*", 1)
        let process = ProcessInfo.processInfo
        let tour = Tour(console: .process)
        exit(await tour.run(Array(process.arguments.dropFirst()), environment: process.environment))
    }
}
