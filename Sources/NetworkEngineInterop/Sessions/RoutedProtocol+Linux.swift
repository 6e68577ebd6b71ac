#if canImport(FoundationNetworking)
import Dispatch
import Foundation
import FoundationNetworking
import NetworkEngine

/// What FoundationNetworking does not declare, or does in a way of its own.
///
/// A session must be told everything on its work queue, or it reads its list of tasks while another thread changes the
/// list. Only `startLoading` runs there. `resume()` of a running task calls it again, and does nothing for a task that
/// was canceled or is complete.
extension RoutedProtocol {
    /// Has Foundation call `startLoading` again.
    var wake: @Sendable () -> Void {
        let task = task
        return {
            // A suspended task takes what waits when it is resumed.
            if task?.state == .running { task?.resume() }
        }
    }

    /// Whether the task may be told something.
    var isRunning: Bool { task?.state == .running }

    /// Whether `stopLoading` was called for `suspend()`, which `wake` can have undone already.
    ///
    /// A canceled task has another state.
    var isPause: Bool { task?.state == .suspended || task?.state == .running }

    /// The reason why a task cannot be loaded.
    var unsupportedTask: String? {
        if task is URLSessionDownloadTask {
            return "download tasks cannot be routed on Linux, where Foundation crashes; use HTTPClient.download(for:)"
        }
        if task is URLSessionUploadTask, request.httpBody == nil, uploadedContent == nil {
            return "the body of the upload task is not known; use HTTPClient.upload(for:from:)"
        }
        return nil
    }

    /// The content of an upload task, which Foundation keeps from a `URLProtocol`.
    var uploadedContent: UploadedContent? {
        guard task is URLSessionUploadTask, let body = taskMirror?.descendant("knownBody", 0) else { return nil }
        switch Mirror(reflecting: body).children.first {
        case ("data"?, let data as DispatchData)?: return .body(.data(data.bytes))
        case ("file"?, let file as URL)?: return .body(.file(file))
        case ("stream"?, let stream as InputStream)?: return .stream(stream)
        default: return nil
        }
    }

    /// Whether the response goes to a delegate piece by piece.
    ///
    /// A completion handler gets the last piece alone, so it is given one. It is also given where Foundation has
    /// changed, and the difference is not known.
    var takesPieces: Bool {
        guard let task, let session = taskMirror?.descendant("session", 0),
            let behaviours = Mirror(reflecting: session).descendant("taskRegistry", "behaviours")
                as? any NumberedValues,
            let behaviour = behaviours.value(of: task.taskIdentifier)
        else { return false }
        return String(describing: behaviour) == "callDelegate"
    }

    /// The response, as Foundation can pass it on.
    ///
    /// After a 401 that asks for a password, Foundation waits for ever, or sends the request again without the client.
    /// So that field is left out. The client's interceptors have seen it.
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

/// A dictionary of values of a type that is not known.
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
