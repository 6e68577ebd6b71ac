import DemoTour
import Testing

@Suite(.timeLimit(.minutes(5))) struct TourOptionsTests {
    private func options(_ arguments: String...) throws -> TourOptions {
        try TourOptions(arguments, steps: ["one", "two"])
    }

    @Test func `without arguments all steps run and write below the build folder`() throws {
        let options = try options()
        #expect(options.action == .run && options.steps.isEmpty && options.folder == ".build/demo")
        #expect(!options.showsCode && !options.isPlain)
    }

    @Test func `options can be combined, and steps repeated`() throws {
        let options = try options("--step", "one", "--code", "--step=two", "--plain", "--output", "/tmp/a b")
        #expect(
            options.steps == ["one", "two"] && options.showsCode && options.isPlain && options.folder == "/tmp/a b")
    }

    @Test(arguments: [("--list", TourOptions.Action.list), ("--help", .help), ("-h", .help)])
    func `an option replaces the run`(argument: String, action: TourOptions.Action) throws {
        #expect(try options(argument).action == action)
    }

    @Test func `help ignores what follows`() throws {
        #expect(try options("--help", "--bogus").action == .help)
    }

    @Test(arguments: [
        (["--bogus"], "There is no option \"--bogus\". See --help."),
        (["one"], "There is no option \"one\". See --help."),
        (["--plain=yes"], "There is no option \"--plain=yes\". See --help."),
        (["--step"], "The option --step needs a value. See --help."),
        (["--output", "--plain"], "The option --output needs a value. See --help."),
        (["--output="], "The option --output needs a value. See --help."),
        (["--step", "three"], "There is no step \"three\". See --list."),
    ])
    func `wrong arguments are explained`(arguments: [String], message: String) {
        let error = #expect(throws: UsageError.self) { try TourOptions(arguments, steps: ["one", "two"]) }
        #expect(error?.message == message)
    }

    @Test func `the help names every option and fits in 80 columns`() {
        for option in ["--step", "--list", "--code", "--plain", "--output", "--help"] {
            #expect(TourOptions.help.contains("  \(option)"))
        }
        #expect(TourOptions.help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
}
