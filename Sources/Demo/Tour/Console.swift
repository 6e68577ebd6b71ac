import Foundation

/// The demo's output.
package struct Console: Sendable {
    /// Whether the output is a terminal.
    package let isTerminal: Bool
    package let write: @Sendable (String) -> Void
    package let writeError: @Sendable (String) -> Void

    package init(
        isTerminal: Bool,
        write: @escaping @Sendable (String) -> Void,
        writeError: @escaping @Sendable (String) -> Void
    ) {
        self.isTerminal = isTerminal
        self.write = write
        self.writeError = writeError
    }

    /// The process's standard output and error.
    package static let process = Console(
        isTerminal: isatty(STDOUT_FILENO) == 1,
        write: { write($0, to: .standardOutput) },
        writeError: { write($0, to: .standardError) })

    /// Ignores a reader that has closed the pipe.
    private static func write(_ text: String, to file: FileHandle) { try? file.write(contentsOf: Data(text.utf8)) }

    /// Whether colors and control characters may be written.
    func isPlain(_ options: TourOptions, _ environment: [String: String]) -> Bool {
        options.isPlain || !isTerminal || environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
    }
}
