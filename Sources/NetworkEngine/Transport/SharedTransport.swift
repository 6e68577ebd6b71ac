/// A transport whose copies are one, with the same connections.
package protocol SharedTransport: Transport {
    /// The same for all copies, for as long as one of them is there.
    var identity: ObjectIdentifier? { get }
}

extension Transport {
    /// Tells whether two values are the same transport; `nil` for a value that does not say.
    package var sharedIdentity: ObjectIdentifier? {
        if let shared = self as? any SharedTransport { return shared.identity }
        return type(of: self) is AnyClass ? ObjectIdentifier(self as AnyObject) : nil
    }
}
