/// Incidents still to come, in the order of their moments.
struct LoopbackTimeline: Sendable {
    private var incidents: ArraySlice<LoopbackIncident>

    init(_ incidents: some Sequence<LoopbackIncident> = []) { self.incidents = ArraySlice(Array(incidents)) }

    /// Removes and returns the first incident, if its moment has come.
    mutating func next(upTo point: LoopbackPoint) -> LoopbackIncident.Action? {
        guard let first = incidents.first, first.point <= point else { return nil }
        return incidents.removeFirst().action
    }

    /// The offset of the next incident, if that is in this stage.
    func offset(in stage: LoopbackPoint.Stage) -> Int? {
        guard let point = incidents.first?.point, point.stage == stage else { return nil }
        return point.offset
    }
}
