/// The demo's options.
package struct TourOptions: Equatable, Sendable {
    package enum Action: Equatable, Sendable { case run, list, help }

    package var action = Action.run
    /// The names of the steps to run; all steps if empty.
    package var steps: Set<String> = []
    package var showsCode = false
    package var isPlain = false
    /// The folder for the timeline and the archive.
    package var folder = ".build/demo"

    package static let help = """
        Usage: swift run demo [options]

        A tour of NetworkEngine with a service in this process. It needs no network.

          --step NAME      Run one step. Can be repeated.
          --list           List the steps.
          --code           Show the code of each step.
          --plain          Use no color and no control characters. This is the default
                           if the output is not a terminal, or if NO_COLOR is set.
          --output FOLDER  Write timeline.html and session.har into this folder.
                           The default is .build/demo.
          --help           Show this text.

        """

    /// Parses arguments.
    ///
    /// - Parameter names: the names of the known steps.
    package init(_ arguments: [String], steps names: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let (option, attached) = Self.split(argument)
            switch (option, attached) {
            case ("--list", nil): action = .list
            case ("--help", nil), ("-h", nil): action = .help
            case ("--code", nil): showsCode = true
            case ("--plain", nil): isPlain = true
            case ("--output", _): folder = try Self.value(of: option, attached, &rest)
            case ("--step", _):
                let name = try Self.value(of: option, attached, &rest)
                guard names.contains(name) else {
                    throw UsageError("There is no step \"\(name)\". See --list.")
                }
                steps.insert(name)
            default: throw UsageError("There is no option \"\(argument)\". See --help.")
            }
            if action == .help { return }
        }
    }

    /// Splits `--option=value`.
    private static func split(_ argument: String) -> (option: String, value: String?) {
        guard argument.hasPrefix("--"), let sign = argument.firstIndex(of: "=") else { return (argument, nil) }
        return (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
    }

    private static func value(
        of option: String,
        _ attached: String?,
        _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let value = attached ?? rest.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
            throw UsageError("The option \(option) needs a value. See --help.")
        }
        return value
    }
}

/// Unknown arguments.
package struct UsageError: Error, Equatable {
    package let message: String

    init(_ message: String) { self.message = message }
}
