import CLibcurl
import NetworkEngine

/// A thread that starts when there is work for it, at most once.
final class CurlWorker: Sendable {
    private enum Stage {
        case notYet
        case running(LCThread)
        case over
    }

    private let stage = Locked(Stage.notYet)
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    /// Whether the thread was ended, so that it accepts no more work.
    var isOver: Bool {
        stage.withLock { stage in
            if case .over = stage { true } else { false }
        }
    }

    var isRunning: Bool {
        stage.withLock { stage in
            if case .running = stage { true } else { false }
        }
    }

    /// Starts the thread if necessary. Throws if it was ended.
    func start() throws(NetworkError) {
        let failure = try stage.withLock { stage throws(NetworkError) -> Int32 in
            switch stage {
            case .notYet: break
            case .running: return 0
            case .over: throw .transportIsShutDown
            }
            var thread = LCThread()
            let work = Unmanaged.passRetained(Work(work))
            let code = lc_thread_start(&thread, { Work.run($0) }, work.toOpaque())
            if code == 0 { stage = .running(thread) } else { work.release() }
            return code
        }
        guard failure == 0 else { throw NetworkError(kind: .transport, reason: "no thread could be made (\(failure))") }
    }

    /// Ends threads, and waits for them unless the caller is one of a transport's threads, because two of them could
    /// wait for each other.
    ///
    /// - Parameter workers: each with a closure that ends its running thread, and one to call if it was never started.
    static func end(_ workers: [(worker: CurlWorker, tell: () -> Void, orElse: () -> Void)]) {
        var threads: [LCThread] = []
        // All are notified before waiting for the first one.
        for (worker, tell, orElse) in workers {
            switch worker.close() {
            case .notYet: orElse()
            case .over: break
            case .running(let thread):
                tell()
                threads.append(thread)
            }
        }
        let waits = lc_thread_is_ours() == 0
        for thread in threads { if waits { lc_thread_join(thread) } else { lc_thread_detach(thread) } }
    }

    /// Stops accepting work.
    ///
    /// - Returns: the previous stage.
    private func close() -> Stage {
        stage.withLock { stage in
            defer { stage = .over }
            return stage
        }
    }

    private final class Work: Sendable {
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        static func run(_ context: UnsafeMutableRawPointer?) {
            guard let context else { return }
            Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        }
    }
}
