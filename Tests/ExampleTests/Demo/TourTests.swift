import DemoTour
import Foundation
import Testing

/// Runs the demo without the executable around it.
@Suite(.timeLimit(.minutes(5))) struct TourTests {
    /// The output of each step.
    private static let words: [(String, [String])] = [
        ("sign-in", ["Ada Lovelace is signed in."]),
        ("refresh", ["200 calls succeed with one refresh."]),
        ("retry", ["arrives in attempt 3,", "status 503"]),
        ("offline", ["3 calls wait for the network. Nothing is sent.", "Ada, Grace, Alan."]),
        ("download", ["15.6 MB arrive in a file, at ", "bytes=7840000-"]),
        ("cache", ["network, cache.", "network, revalidated."]),
        ("pages", ["3 pages with 4 + 4 + 2 = 10 users."]),
        ("upload", ["8.0 MB are sent as multipart/form-data, at "]),
        ("events", ["queued, built, tested, signed, uploaded, released.", "after event 3 and 6."]),
        ("socket", ["50, 25, 37, 43, 40, 41, 42 is right.", "7 messages go to the service over one connection."]),
        ("graphql", ["Team Compiler: Ada, Grace, Alan.", "The members are not available."]),
        ("mocks", ["LiveUsers and MockUsers show Frances Allen."]),
        ("transports", ["URLSession: ", " calls a second, best of 4 rounds."]),
    ]

    private let quiet = Step("quiet", "Does nothing.") { _ in ["Nothing was done."] }
    private let broken = Step("broken", "Fails.") { _ in throw CocoaError(.featureUnsupported) }

    @Test(arguments: TourTests.words)
    func `each step succeeds alone and says what happened, in plain text of 80 columns`(
        name: String, words: [String]
    ) async throws {
        let run = try await TourRun(["--plain", "--step", name])
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(
            run.lines.first?.hasPrefix("NetworkEngine in 1 step, with a service in this process (127.0.0.1:") == true
        )
        #expect(run.lines.count { $0.hasPrefix("ok \(name) ") } == 1)
        #expect(!run.output.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || $0.value == 127 })
        let ownLines = run.lines.filter { !$0.contains(run.path) }
        #expect(ownLines.allSatisfy { $0.count < 80 }, "\(ownLines)")
        for words in words { #expect(run.output.contains(words)) }
    }

    @Test func `every step has a test`() {
        #expect(Step.all.map(\.name) == Self.words.map(\.0))
    }

    @Test func `a failing step does not end the tour, and is the exit code`() async throws {
        let run = try await TourRun(steps: [broken, quiet])
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("demo: The step \"broken\" failed. ") && run.errors.hasSuffix("\n"))
        #expect(run.lines.contains { $0.hasPrefix("no broken ") } && run.lines.contains { $0.hasPrefix("ok quiet ") })
    }

    @Test func `wrong arguments run nothing and have an exit code of their own`() async throws {
        let run = try await TourRun(["--bogus"])
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.errors == "demo: There is no option \"--bogus\". See --help.\n")
    }

    @Test func `a folder that cannot be written is an error`() async throws {
        let run = try await TourRun(["--output", "/dev/null/demo"], steps: [quiet])
        #expect(run.status == 1 && run.errors.hasPrefix("demo: The folder /dev/null/demo cannot be written. "))
    }

    @Test func `the list has every step with its title`() async throws {
        let run = try await TourRun(["--list"])
        #expect(run.status == 0 && run.lines.count == Step.all.count + 1)
        for (line, step) in zip(run.lines, Step.all) {
            #expect(line.hasPrefix("   \(step.name) ") && line.hasSuffix(" \(step.title)") && line.count < 80)
        }
    }

    @Test func `the recordings are written where the output says`() async throws {
        let run = try await TourRun(steps: [quiet])
        for file in ["timeline.html", "session.har"] {
            #expect(run.output.contains("   \(run.path)/\(file)  "))
            #expect(try !run.text(of: file).isEmpty)
        }
    }

    @Test func `a terminal gets colors that light and dark backgrounds show`() async throws {
        let run = try await TourRun(["--step", "upload"], isTerminal: true)
        let codes = run.output.split(separator: "\u{1B}[").dropFirst().map { $0.prefix { $0.isNumber || $0 == ";" } }
        #expect(run.status == 0 && Set(codes).subtracting(["", "0"]) == ["1", "32"])
        #expect(run.output.contains("\u{1B}[32m✓\u{1B}[0m  \u{1B}[1mupload\u{1B}[0m "))
        #expect(run.output.contains("\r   upload      [") && run.output.contains("] 100 %"))
        let bars = run.output.split(whereSeparator: \.isNewline).flatMap { $0.split(separator: "\r") }.filter {
            $0.contains("[#")
        }
        #expect(!bars.isEmpty && bars.allSatisfy { $0.count < 80 }, "\(bars)")
    }

    @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
    func `an environment asks for plain text`(environment: [String: String]) async throws {
        let run = try await TourRun(steps: [quiet], isTerminal: true, environment: environment)
        #expect(!run.output.contains("\u{1B}") && !run.output.contains("\r"))
    }

    @Test func `long results are wrapped between words`() async throws {
        let long = Step("long", "Says much.") { _ in [String(repeating: "word ", count: 30)] }
        let run = try await TourRun(steps: [long])
        let line = try #require(run.lines.first { $0.hasPrefix("ok long ") })
        #expect(line.count == 79 && run.lines.allSatisfy { $0.count < 80 || $0.contains(run.path) }, "\(run.lines)")
    }
}
