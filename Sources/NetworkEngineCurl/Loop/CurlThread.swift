import CLibcurl
import NetworkEngine

/// The work of one thread of a transport: an event loop, which is made again if the system fails.
enum CurlThread {
    static func run(_ configuration: CurlConfiguration, _ base: CurlSharedOptions, _ common: CurlCommon, number: Int) {
        while true {
            if var loop = CurlLoop(base: base, common: common, number: number) {
                if loop.run() == .shutDown { return }
            } else if !refuseAll(in: common, number: number) {
                return
            }
        }
    }

    /// Ends the waiting exchanges while the system provides no event loop, and pauses before the next try.
    ///
    /// - Returns: whether to continue.
    private static func refuseAll(in common: CurlCommon, number: Int) -> Bool {
        let mailbox = common.mailboxes[number]
        var commands: [CurlTask.Command] = []
        var isShuttingDown = false
        mailbox.take(into: &commands)
        for command in commands {
            if case .shutDown = command { isShuttingDown = true }
        }
        if isShuttingDown { commands += mailbox.close() }
        let reason: AbortReason = isShuttingDown ? .shutDown : .lacksDescriptors
        for case .start(let admission) in commands {
            let completion = admission.task.exchange.abort(reason)
            common.leave(admission.permit, of: number)
            completion?.run()
        }
        if !isShuttingDown { lc_thread_pause(20) }
        return !isShuttingDown
    }
}

extension AbortReason {
    /// The event loop failed, because of the system.
    static func loopFailed(_ reason: String) -> AbortReason {
        .lost("the transport's event loop failed and was made again: \(reason)")
    }
}
