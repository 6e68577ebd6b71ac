/// Values in one object, so that what has them is one pointer. A change gives the changed copy an object of its own.
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

    /// Whether both are copies of one value, without a change since then.
    func isCopy(of other: Boxed) -> Bool { box === other.box }
}
