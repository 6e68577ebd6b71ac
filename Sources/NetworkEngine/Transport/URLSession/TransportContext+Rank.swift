extension TransportContext {
    /// The position of the exchange in the admission queue.
    package var rank: AdmissionQueue.Rank {
        if isRefresh { return .refresh }
        return switch priority {
        case .high: .high
        case .normal: .normal
        case .low: .low
        }
    }
}
