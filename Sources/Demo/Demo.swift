import DemoTour
import Foundation

/// A guided tour of the framework: `swift run demo --help`.
@main
struct Demo {
    static func main() async {
        let process = ProcessInfo.processInfo
        let tour = Tour(console: .process)
        exit(await tour.run(Array(process.arguments.dropFirst()), environment: process.environment))
    }
}
