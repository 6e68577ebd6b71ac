import NetworkEngine

/// The validations that are running, so that each stored response has one at a time.
final class ValidationTable: Sendable {
    private let running = Locked<[String: OneShot<Void>]>([:])

    /// Begins the validation of an entry; returns the end of the one that is running, if there is one.
    func begin(_ token: String) -> OneShot<Void>? {
        running.withLock { running in
            if let end = running[token] { return end }
            running[token] = OneShot()
            return nil
        }
    }

    /// Ends the validation, and resumes the requests that wait for it.
    func end(_ token: String) {
        let end = running.withLock { $0.removeValue(forKey: token) }
        end?.settle(())
    }
}
