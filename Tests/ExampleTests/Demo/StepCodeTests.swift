import DemoTour
import Foundation
import Testing

/// Compares the code that the demo shows with its source.
@Suite(.timeLimit(.minutes(5))) struct StepCodeTests {
    @Test(arguments: Step.all)
    func `the code of a step is a part of the closure that runs`(step: Step) throws {
        let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Sources/Demo/Tour/Steps")
        let files = try FileManager.default.contentsOfDirectory(
            at: folder.standardized, includingPropertiesForKeys: nil)
        let texts = try files.map { try String(contentsOf: $0, encoding: .utf8) }
        let text = try #require(texts.first { $0.contains("= Step(\"\(step.name)\", ") })
        let closure = try #require(text.range(of: "stage in\n"))
        let rest = text[closure.upperBound...]
        let end = try #require(rest.range(of: "\n    }\n}\n"))
        let lines = rest[..<end.lowerBound].split(separator: "\n", omittingEmptySubsequences: false)
        let code = try step.code()
        #expect(lines.map { String($0.drop { $0 == " " }) }.contains(code.map { String($0.drop { $0 == " " }) }))
        #expect(
            text.components(separatedBy: "// sample\n").count == 2 && text.components(separatedBy: "Step(\"").count == 2
        )
    }

    @Test(arguments: Step.all)
    func `the code is short enough to be read in a terminal`(step: Step) throws {
        let code = try step.code()
        #expect((4...18).contains(code.count) && code.allSatisfy { $0.count <= 76 })
        #expect(code.first?.hasPrefix(" ") == false)
    }

    @Test func `code is shown below the result when it is wanted`() async throws {
        let step = try #require(Step.all.first { $0.name == "sign-in" })
        let code = try step.code().map { $0.isEmpty ? "" : "   " + $0 }
        let shown = try await TourRun(["--code", "--step", "sign-in"])
        #expect(
            shown.lines.contains(code)
                && shown.lines.allSatisfy {
                    $0.count < 80 || $0.contains(shown.path)
                })
        let run = try await TourRun(["--step", "sign-in"])
        #expect(!run.output.contains("NetworkProvider"))
    }

    @Test func `a source that is missing is a failure with a reason`() async throws {
        let step = Step("lost", "Has no source.", file: "/nowhere/Lost.swift") { _ in ["Done."] }
        let run = try await TourRun(["--code"], steps: [step])
        #expect(run.status == 1 && run.errors.contains("The source file /nowhere/Lost.swift cannot be read."))
        #expect(!run.lines.contains { $0.hasPrefix("ok ") })
    }
}
