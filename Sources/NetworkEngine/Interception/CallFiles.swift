package import Foundation

/// The files that the exchanges of one call write bodies to.
///
/// A retry, a redirect, an interceptor that asks twice or fails after its answer: each leaves a file that nobody else
/// would know of.
package struct CallFiles: Sendable {
    private let places = Locked<[URL]>([])

    package init() {}

    /// A place for the body of another exchange.
    package func next() -> URL {
        let place = URL.freshTemporaryFile
        places.withLock { $0.append(place) }
        return place
    }

    /// Removes them all, but for the one that is the call's answer.
    package func discard(except answer: ResponseBody? = nil) {
        let places = places.withLock { $0 }
        for place in places {
            if case .file(place) = answer { continue }
            try? FileManager.default.removeItem(at: place)
        }
    }
}
