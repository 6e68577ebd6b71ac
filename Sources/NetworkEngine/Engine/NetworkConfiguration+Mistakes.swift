public import Foundation

// Likely first spellings that do not exist, with messages that show the right one.

extension NetworkConfiguration {
    /// A timeout has a unit.
    @available(*, unavailable, message: "Set 'configuration.timeout = .seconds(30)', or 'deadline' for whole calls.")
    @_alwaysEmitIntoClient
    public var timeoutInterval: TimeInterval {
        get { timeout / .seconds(1) }
        set { timeout = .seconds(newValue) }
    }

    /// Headers are set after creation.
    @available(*, unavailable, message: "Create a configuration, and set its 'headers'.")
    @_alwaysEmitIntoClient
    public init(headers: HTTPHeaders) {
        self.init()
        self.headers = headers
    }
}
