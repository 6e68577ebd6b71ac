import Foundation
import Testing

@testable import NetworkEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A library that uses `URLSession` with completion handlers, and counts their calls.
final class Guest: Sendable {
    typealias Ending = Result<(data: Data, response: HTTPURLResponse), URLError>

    let session: URLSession

    init(_ configuration: URLSessionConfiguration) { session = URLSession(configuration: configuration) }

    deinit { session.finishTasksAndInvalidate() }

    /// A running task.
    struct Call: Sendable {
        let task: URLSessionTask
        let ending: OneShot<Ending>
        let endings: Locked<Int>

        var value: (data: Data, response: HTTPURLResponse) {
            get async throws { try await ending.wait().get() }
        }

        var text: String { get async throws { String(decoding: try await value.data, as: UTF8.self) } }

        var error: URLError? {
            get async throws { if case .failure(let error) = try await ending.wait() { error } else { nil } }
        }
    }

    func start(_ request: URLRequest) -> Call {
        start { session.dataTask(with: request, completionHandler: $0) }
    }

    func upload(_ request: URLRequest, _ data: Data) -> Call {
        start { session.uploadTask(with: request, from: data, completionHandler: $0) }
    }

    func upload(_ request: URLRequest, fromFile file: URL) -> Call {
        start { session.uploadTask(with: request, fromFile: file, completionHandler: $0) }
    }

    func download(_ request: URLRequest) -> Call {
        start { end in session.downloadTask(with: request) { end($0.flatMap { try? Data(contentsOf: $0) }, $1, $2) } }
    }

    private func start(
        _ make: (@escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void) -> URLSessionTask
    ) -> Call {
        let (ending, endings) = (OneShot<Ending>(), Locked(0))
        let task = make { data, response, error in
            endings.withLock { $0 += 1 }
            if let data, let response = response as? HTTPURLResponse {
                ending.settle(.success((data, response)))
            } else {
                ending.settle(.failure(error as? URLError ?? URLError(.unknown)))
            }
        }
        task.resume()
        return Call(task: task, ending: ending, endings: endings)
    }
}

/// A library that uses `URLSession` with a delegate, and records the delegate's calls.
final class DelegatedGuest: Sendable {
    private let recorder = Recorder()
    let session: URLSession

    init(_ configuration: URLSessionConfiguration) {
        session = URLSession(configuration: configuration, delegate: recorder, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// The heads, chunks and ends, in order.
    var log: [String] { recorder.log.withLock { $0 } }
    var pieces: OneShot<Void> { recorder.firstPiece }

    func start(_ request: URLRequest) -> URLSessionTask {
        let task = session.dataTask(with: request)
        task.resume()
        return task
    }

    /// The error of the only task; `nil` for success.
    func ending() async throws -> (any Error)? { try await recorder.ending.wait().error }

    private struct End: Sendable { let error: (any Error)? }

    private final class Recorder: NSObject, URLSessionDataDelegate {
        let log = Locked<[String]>([])
        let firstPiece = OneShot<Void>()
        let ending = OneShot<End>()

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            log.withLock { $0.append("\((response as? HTTPURLResponse)?.statusCode ?? 0)") }
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            log.withLock { $0.append(String(decoding: data, as: UTF8.self)) }
            firstPiece.settle(())
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            log.withLock { $0.append("end") }
            ending.settle(End(error: error))
        }
    }
}
