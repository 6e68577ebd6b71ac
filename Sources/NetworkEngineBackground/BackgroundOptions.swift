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
    /// Whether transfers may use networks that cost money by volume, such as cellular ones and hotspots.
    public var allowsExpensiveNetworkAccess = true
    /// Whether transfers may use networks in Low Data Mode.
    public var allowsConstrainedNetworkAccess = true
    /// Whether the system launches the app when transfers end.
    public var sendsLaunchEvents = true
    /// Limits the whole transfer, with the waits and repetitions of the system.
    public var timeout: Duration = .seconds(7 * 24 * 3_600)
    /// The identifier of the container that an extension shares with its app. Extensions must set it.
    public var sharedContainer: String?
    /// The folder for the bodies of uploads that are not files. Each is removed when its transfer ends.
    ///
    /// The system reads them at any time, so it must not be a folder that the system empties.
    public var folder: URL
    /// Receives the progress of transfers, on the queue of the session. It must return soon.
    public var progress: (@Sendable (BackgroundTransfer, TransferProgress) -> Void)?

    /// Creates the standard options. The folder is in the folder for application support.
    public init() {
        let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        folder = (folders.first ?? FileManager.default.temporaryDirectory)
            .appendingPathComponent("NetworkEngine/BackgroundUploads", isDirectory: true)
    }
}
