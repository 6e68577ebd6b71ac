/// Stores values in one object, so that their owner holds one pointer. A changed copy gets its own object.
struct Boxed<Values: Sendable>: Sendable {
    private final class Box: Sendable {
        let values: Values

        init(_ values: Values) { self.values = values }
    }

    private var box: Box

    init(_ values: Values) { box = Box(values) }

    var values: Values {
        get { box.values }
        set { box = Box(newValue) }
    }

    /// Whether both are copies of one value, unchanged since then.
    func isCopy(of other: Boxed) -> Bool { box === other.box }
}
