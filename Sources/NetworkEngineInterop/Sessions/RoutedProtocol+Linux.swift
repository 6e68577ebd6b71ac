#if canImport(FoundationNetworking)
import Dispatch
import Foundation
import FoundationNetworking
import NetworkEngine

/// Functionality that FoundationNetworking does not declare, or implements differently.
///
/// All session callbacks must run on the session's work queue; otherwise it reads its task list while another thread
/// changes the list. Only `startLoading` runs there. `resume()` on a running task calls it again, and does nothing for
/// a task that was canceled or is complete.
extension RoutedProtocol {
    /// Makes Foundation call `startLoading` again.
    var wake: @Sendable () -> Void {
        let task = task
        return {
            // A suspended task takes the waiting event when it is resumed.
            if task?.state == .running { task?.resume() }
        }
    }

    /// Whether the task can receive events.
    var isRunning: Bool { task?.state == .running }

    /// Whether `stopLoading` was called because of `suspend()`, which `wake` may have already undone.
    ///
    /// A canceled task has another state.
    var isPause: Bool { task?.state == .suspended || task?.state == .running }

    /// Why a task cannot be loaded.
    var unsupportedTask: String? {
        if task is URLSessionDownloadTask {
            return "download tasks cannot be routed on Linux, where Foundation crashes; use HTTPClient.download(for:)"
        }
        if task is URLSessionUploadTask, request.httpBody == nil, uploadedContent == nil {
            return "the body of the upload task is not known; use HTTPClient.upload(for:from:)"
        }
        return nil
    }

    /// The content of an upload task, which Foundation hides from a `URLProtocol`.
    var uploadedContent: UploadedContent? {
        guard task is URLSessionUploadTask, let body = taskMirror?.descendant("knownBody", 0) else { return nil }
        switch Mirror(reflecting: body).children.first {
        case ("data"?, let data as DispatchData)?: return .body(.data(data.bytes))
        case ("file"?, let file as URL)?: return .body(.file(file))
        case ("stream"?, let stream as InputStream)?: return .stream(stream)
        default: return nil
        }
    }

    /// Whether the response is passed to a delegate in pieces.
    ///
    /// A completion handler would receive only the last piece, so it is given a single one. The same applies if
    /// Foundation has changed and the kind of task cannot be determined.
    var takesPieces: Bool {
        guard let task, let session = taskMirror?.descendant("session", 0),
            let behaviours = Mirror(reflecting: session).descendant("taskRegistry", "behaviours")
                as? any NumberedValues,
            let behaviour = behaviours.value(of: task.taskIdentifier)
        else { return false }
        return String(describing: behaviour) == "callDelegate"
    }

    /// The response in a form that Foundation can pass on.
    ///
    /// After a 401 that requests a password, Foundation waits forever, or sends the request again without the client.
    /// Therefore the field is omitted. The client's interceptors have already seen it.
    static func passable(_ response: URLResponse) -> URLResponse {
        guard let head = response as? HTTPURLResponse, head.statusCode == 401, let url = head.url else {
            return response
        }
        var fields: [String: String] = [:]
        for case (let name as String, let value as String) in head.allHeaderFields {
            let isChallenge = name.lowercased() == "www-authenticate"
            let words = isChallenge ? value.lowercased() : ""
            if !words.contains("basic"), !words.contains("digest") { fields[name] = value }
        }
        return HTTPURLResponse(url: url, statusCode: 401, httpVersion: "HTTP/1.1", headerFields: fields) ?? response
    }

    private var taskMirror: Mirror? {
        guard let task else { return nil }
        var mirror: Mirror? = Mirror(reflecting: task)
        while let current = mirror, current.subjectType != URLSessionTask.self { mirror = current.superclassMirror }
        return mirror
    }
}

/// A dictionary with values of an unknown type.
private protocol NumberedValues {
    func value(of number: Int) -> Any?
}

extension Dictionary: NumberedValues where Key == Int {
    fileprivate func value(of number: Int) -> Any? { self[number] }
}

extension DispatchData {
    fileprivate var bytes: Data {
        var bytes = Data(capacity: count)
        enumerateBytes { piece, _, _ in bytes.append(piece) }
        return bytes
    }
}
#endif
