public import Foundation
public import NetworkEngine

/// The options of background transfers.
///
/// ```swift
/// var options = BackgroundOptions()
/// options.isDiscretionary = true
/// ```
public struct BackgroundOptions: Sendable {
    /// Whether the system may wait for power and Wi-Fi. Transfers that are started in the background always wait.
    public var isDiscretionary = false
    /// Whether transfers may use cellular networks.
    public var allowsCellularAccess = true
    /// Whether transfers may use metered networks, such as cellular ones and hotspots.
    public var allowsExpensiveNetworkAccess = true
    /// Whether transfers may use networks in Low Data Mode.
    public var allowsConstrainedNetworkAccess = true
    /// Whether the system launches the app when transfers end.
    public var sendsLaunchEvents = true
    /// Limits the whole transfer, including the system's waiting and retries.
    public var timeout: Duration = .seconds(7 * 24 * 3_600)
    /// The identifier of the container that an extension shares with its app. Extensions must set it.
    public var sharedContainer: String?
    /// The folder for upload bodies that are not files. Each is removed when its transfer ends.
    ///
    /// The system reads them at any time, so don't choose a folder that the system may empty.
    public var folder: URL
    /// Receives the progress of transfers, on the session's queue. It must return quickly.
    public var progress: (@Sendable (BackgroundTransfer, TransferProgress) -> Void)?

    /// Creates the default options. The folder is inside the application support folder.
    public init() {
        let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        folder = (folders.first ?? FileManager.default.temporaryDirectory)
            .appendingPathComponent("NetworkEngine/BackgroundUploads", isDirectory: true)
    }
}
