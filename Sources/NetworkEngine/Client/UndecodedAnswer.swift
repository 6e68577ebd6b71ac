/// What a call gives that names no type to decode: nothing, which can only be ignored.
///
/// ```swift
/// try await provider.request(.delete(7))                   // ignores the answer
/// let user: User = try await provider.request(.user(7))    // decodes it
/// ```
/// It cannot be copied and has no members, so that a forgotten type is an error of the compiler at the first use.
@dynamicMemberLookup
public struct UndecodedAnswer: ~Copyable, Sendable {
    package init() {}

    @available(
        *, unavailable, message: "The answer is not decoded, because no type is given. Write 'let user: User = …'."
    )
    public subscript<Member>(dynamicMember name: String) -> Member {
        preconditionFailure("There is no \(name) in an answer that was not decoded")
    }
}
