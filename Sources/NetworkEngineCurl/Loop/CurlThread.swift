import CLibcurl
import NetworkEngine

/// The work of one of a transport's threads: an event loop, which is created again after a system failure.
enum CurlThread {
    static func run(_ base: CurlSharedOptions, _ common: CurlCommon, _ mailbox: CurlTask.Mailbox, number: Int) {
        while true {
            if var loop = CurlLoop(base: base, common: common, mailbox: mailbox, number: number) {
                common.setUsable(number, true)
                if loop.run() == .shutDown { return }
            } else {
                common.setUsable(number, false)
                if !refuseAll(in: mailbox, common, number: number) { return }
            }
        }
    }

    /// If the system cannot provide an event loop, leaves the waiting exchanges to another loop, or ends them if there
    /// is none. Pauses before the next try.
    ///
    /// - Returns: whether to continue.
    private static func refuseAll(in mailbox: CurlTask.Mailbox, _ common: CurlCommon, number: Int) -> Bool {
        var commands: [CurlTask.Command] = []
        var isShuttingDown = false
        mailbox.take(into: &commands)
        for command in commands {
            if case .shutDown = command { isShuttingDown = true }
        }
        if isShuttingDown { commands += mailbox.close() }
        let reason: AbortReason = isShuttingDown ? .shutDown : .lacksDescriptors
        for case .start(let admission) in commands {
            let task = admission.task
            if !isShuttingDown, let other = task.runningLoop(after: number),
                task.move(to: other, from: number, admission)
            {
                continue
            }
            let completion = task.exchange.abort(reason)
            common.ended(task.request, on: number)
            common.gate.leave(admission.permit)?.announce()
            completion?.run()
        }
        if !isShuttingDown { lc_thread_pause(20) }
        return !isShuttingDown
    }
}

extension AbortReason {
    /// The event loop failed because of the system.
    static func loopFailed(_ reason: String) -> AbortReason {
        .lost("the transport's event loop failed and was made again: \(reason)")
    }
}
