/// Whether a target needs a credential.
public enum AuthorizationRequirement: Hashable, Sendable {
    /// Without a credential the call fails.
    case required
    /// A credential is sent when there is one.
    case optional
    /// No credential is sent and none is renewed.
    case none
}
