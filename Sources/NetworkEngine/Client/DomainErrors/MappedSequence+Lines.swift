public import Foundation

extension MappedSequence where Base == ResponseStream {
    /// Returns the body as lines without line endings.
    ///
    /// - Parameter limit: the maximum number of bytes per line. A longer line ends the stream with `.limit`.
    public func lines(limit: Int = 1 << 20) -> MappedSequence<ResponseStream.Lines, Failure> {
        mapping(base.lines(limit: limit))
    }

    /// Returns the body as JSON documents, one per line. Skips blank lines.
    ///
    /// - Parameter decoder: decodes each line; by default the configured decoder with the target's
    ///   `keyDecodingStrategy`.
    public func jsonLines<Value: Decodable>(
        as type: Value.Type = Value.self,
        decoder: JSONDecoder? = nil,
        limit: Int = 1 << 20
    ) -> MappedSequence<ResponseStream.JSONLines<Value>, Failure> {
        mapping(base.jsonLines(as: type, decoder: decoder, limit: limit))
    }
}
