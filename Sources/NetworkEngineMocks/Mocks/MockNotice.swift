import Foundation
import NetworkEngine
import NetworkEngineGraphQL

/// Reports a mock's answer that cannot be decoded, because a preview shows only the text for people.
enum MockNotice {
    /// Writes to standard error, which a preview's console shows.
    @TaskLocal package static var report: @Sendable (String) -> Void = { line in
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    /// Reports a decoding error, and returns any error unchanged.
    ///
    /// An error that a GraphQL client passes on is reported there.
    static func given(_ error: NetworkError) -> NetworkError {
        if error.kind == .decoding, !(error.underlying is CarriedError) {
            report("NetworkEngineMocks: " + error.description)
        }
        return error
    }

    /// Reports a decoding error, and returns any error unchanged.
    static func given(_ error: GraphQLError) -> GraphQLError {
        if error.kind == .decodingFailed { report("NetworkEngineMocks: \(error)") }
        return error
    }
}
