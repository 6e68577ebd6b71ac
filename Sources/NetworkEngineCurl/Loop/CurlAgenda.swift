import NetworkEngine

/// Work that libcurl's callbacks leave to the loop.
final class CurlAgenda {
    /// The slots that continue decoding after the other exchanges.
    var resting: [Int] = []
    /// The slots that receive the rest of a redirect's body, and when they stop.
    var draining: [(number: Int, task: CurlTask, end: Moment)] = []
    /// The permits of exchanges that returned their responses with the heads.
    var returned: [Permit] = []
    /// The slots that have passed bytes to the system which may not have arrived yet.
    var sending: Set<Int> = []
    /// The slots with a streamed request body that has ended. Over HTTP/3, libcurl sends that end with the next event,
    /// which may take half a minute.
    var ended: [Int] = []
    /// The slots with exchanges that have sent or received bytes since the last report.
    var active: [Int] = []
    /// The number of exchanges that depend on libcurl's messages to any exchange.
    var dependents = 0
    /// Origins that responded over HTTP/1.1, although HTTP/2 was offered.
    var serial: [String] = []
    /// The tasks to resume at the end of the step. Resuming them consecutively wakes few threads.
    private(set) var completions: [Exchange.Completion] = []

    func add(_ completion: Exchange.Completion?) {
        if let completion { completions.append(completion) }
    }

    /// Moves the completions to an empty array, and reuses its memory.
    func takeCompletions(into array: inout [Exchange.Completion]) { swap(&completions, &array) }
}
