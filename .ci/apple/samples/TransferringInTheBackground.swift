import Foundation
import NetworkEngine
import NetworkEngineBackground

// The samples of the article about background transfers, with the parts of an app and of UIKit that they use.

enum API: TargetType {
    case video(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/videos" }
}

struct Library {
    func add(_ file: URL?, named name: String) {}
}

func report(_ error: NetworkError, resuming data: Data?) {}

func watch(_ library: Library, _ tokens: any RequestInterceptor) async throws {
    // sample
    let transfers = BackgroundTransfers(identifier: "com.example.app.transfers", interceptors: [tokens])

    try await transfers.startDownload(API.video(7), tag: "video 7")
    for await outcome in transfers.outcomes {
        switch outcome.result {
        case .success: library.add(outcome.file, named: outcome.transfer.tag)
        case .failure(let error): report(error, resuming: outcome.resumeData)
        }
    }
    // end
}

@MainActor class UIApplication {}

@MainActor final class AppDelegate {
    let transfers: BackgroundTransfers

    init(transfers: BackgroundTransfers) { self.transfers = transfers }

    // sample
    func application(
        _ application: UIApplication,
        handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        transfers.handleEvents(of: identifier, completion: completionHandler)
    }
    // end
}
