#if !canImport(FoundationNetworking)
import Dispatch
import Foundation
import NetworkEngine

/// Converts the events of a background session into outcomes.
final class BackgroundDelegate: NSObject {
    private struct State {
        var exchanges: [Int: BackgroundExchange] = [:]
        var events = BackgroundEvents<MainHandler>()
    }

    /// `nil` without a session.
    private let security: SessionSecurity?
    private let configuration: NetworkConfiguration
    private let options: BackgroundOptions
    private let outcomes: OutcomeQueue<BackgroundOutcome>
    private let state = Locked(State())

    init(
        security: SessionSecurity?,
        configuration: NetworkConfiguration,
        options: BackgroundOptions,
        outcomes: OutcomeQueue<BackgroundOutcome>
    ) {
        self.security = security
        self.configuration = configuration
        self.options = options
        self.outcomes = outcomes
    }

    /// The system has woken the app.
    func woken(_ handler: MainHandler) { run(state.withLock { $0.events.woken(handler) }) }

    /// Runs the handlers when the app has handled the outcomes. Afterwards the system may terminate the app, and unread
    /// outcomes are lost. The limit leaves the app part of the half minute that the system allows.
    private func run(_ handlers: [MainHandler]) {
        if handlers.isEmpty { return }
        let timebase = Timebase.reading(configuration.clock)
        Task.detached { [outcomes] in
            await outcomes.allHandled(within: .seconds(20), on: timebase)
            for handler in handlers { handler.run() }
        }
    }

    private func change<Value>(_ task: URLSessionTask, _ event: (inout BackgroundExchange) -> Value) -> Value {
        state.withLock { state in
            state.events.eventArrived()
            return event(&state.exchanges[task.taskIdentifier, default: newExchange])
        }
    }

    /// Takes the exchange of a finished task. The app's validation runs outside the lock.
    private func takeExchange(of task: URLSessionTask) -> BackgroundExchange {
        state.withLock { state in
            state.events.eventArrived()
            return state.exchanges.removeValue(forKey: task.taskIdentifier) ?? newExchange
        }
    }

    private var newExchange: BackgroundExchange {
        BackgroundExchange(limit: configuration.limits.bodyInMemory, validation: configuration.validation)
    }

    private func transfer(of task: URLSessionTask) -> BackgroundTransfer {
        let kind: BackgroundTransfer.Kind = task is URLSessionDownloadTask ? .download : .upload
        return BackgroundTransfer(taskDescription: task.taskDescription) ?? BackgroundTransfer(kind: kind, tag: "")
    }

    private func report(
        _ task: URLSessionTask,
        _ direction: TransferProgress.Direction,
        _ count: Int64,
        of total: Int64
    ) {
        guard let progress = options.progress else { return }
        let total = total > 0 ? total : nil
        progress(transfer(of: task), TransferProgress(direction: direction, completed: count, total: total))
    }
}

extension BackgroundDelegate: URLSessionDataDelegate {
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if !change(dataTask, { $0.received(data) }) { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        report(task, .sending, totalBytesSent, of: totalBytesExpectedToSend)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let security else { return completionHandler(.performDefaultHandling, nil) }
        // The system may have followed a redirect. The original request is the one that the app created.
        let isForeign = challenge.protectionSpace.origin != task.originalRequest?.url?.origin
        let answer = security.answer(challenge, isForeign: isForeign)
        completionHandler(answer.disposition, answer.credential)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let transfer = transfer(of: task)
        let ending = BackgroundExchange.Ending(
            request: task.sentRequest, status: task.status, failure: error.map(BackgroundFailure.init(sessionError:)))
        var exchange = takeExchange(of: task)
        let outcome = exchange.ended(ending, of: transfer)
        if let headers = ending.status?.headers {
            for layer in configuration.parts.layers { layer.receive(headers, from: ending.request.url) }
        }
        transfer.removeSpool(in: options.folder)
        if let outcome { outcomes.put(outcome) }
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        run(state.withLock { $0.events.allDelivered() })
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { outcomes.finish() }
}

extension BackgroundDelegate: URLSessionDownloadDelegate {
    /// Moves the file before it returns, because the system then removes it.
    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
        guard let status = downloadTask.status else { return }
        let download = BackgroundDownload(
            file: location, status: status.code, headers: status.headers, request: downloadTask.sentRequest)
        let destination = transfer(of: downloadTask).destination?.destination() ?? .temporary
        let result = download.placed(
            at: destination, in: configuration.temporaryFolder, validation: configuration.validation)
        change(downloadTask) { $0.placed(result) }
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        report(downloadTask, .receiving, totalBytesWritten, of: totalBytesExpectedToWrite)
    }
}

extension URLProtectionSpace {
    fileprivate var origin: Origin? {
        let name = host.contains(":") ? "[\(host)]" : host
        return URL(string: "\(`protocol` ?? "https")://\(name):\(port)")?.origin
    }
}

extension URLSessionTask {
    /// The request as the system last sent it, with everything hidden that may be secret.
    fileprivate var sentRequest: HTTPRequest {
        let request = (currentRequest ?? originalRequest).flatMap { try? HTTPRequest($0) }
        return request?.markingEverything ?? HTTPRequest(url: URL(fileURLWithPath: "/"))
    }

    fileprivate var status: (code: Int, headers: HTTPHeaders)? {
        guard let response = response as? HTTPURLResponse else { return nil }
        return (response.statusCode, ResponseHead(response, method: .get).headers)
    }
}

extension BackgroundFailure {
    fileprivate init(sessionError error: any Error) {
        let details = (error as NSError).userInfo
        let reason = details[NSURLErrorBackgroundTaskCancelledReasonKey] as? Int
        self.init(
            error,
            resumeData: details[NSURLSessionDownloadTaskResumeData] as? Data,
            cancellation: reason.flatMap(SystemCancellation.init)
        )
    }
}

/// A system completion handler, which is called and released on the main actor.
final class MainHandler: Sendable {
    @MainActor private let handler: () -> Void

    @MainActor init(_ handler: @escaping () -> Void) { self.handler = handler }

    func run() { DispatchQueue.main.async { MainActor.assumeIsolated { self.handler() } } }
}
#endif
