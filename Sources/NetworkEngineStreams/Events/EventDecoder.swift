import Foundation
import NetworkEngine
import NetworkEngineJSON

/// Decodes the data of consecutive events, with settings that are read once.
struct EventDecoder<Value: Decodable & Sendable>: Sendable {
    private let decoder: BodyDecoder
    /// Whether every value is decoded from JSON. Some types accept any data.
    private let isJSON = Value.self != Data.self && Value.self != Data?.self && Value.self != EmptyBody.self
    /// The memory for documents; `nil` before the first one and while one is decoded. Copies share it.
    private let series = Locked<JSONSeries?>(nil)

    /// A longer document is decoded off the caller's actor.
    static var shortLength: Int { 4 << 10 }

    init(_ decoder: BodyDecoder?) { self.decoder = decoder ?? BodyDecoder(JSONDecoder()) }

    /// Whether an event has a value. One without data has none, unless the type defines one.
    func mayDecode(_ event: ServerSentEvent) -> Bool {
        !event.data.isEmpty || !isJSON || Value.self is any AbsentBody.Type
    }

    /// Decodes an event's data. An error's response has the data as its body.
    func decode(_ event: ServerSentEvent, of response: HTTPResponse) throws(NetworkError) -> Value {
        if isJSON, response.statusCode != 204, let value = try? fastValue(of: event.data) { return value }
        var response = response
        response.body = .data(Data(event.data.utf8))
        return try response.json(Value.self, by: decoder)
    }

    @concurrent
    func decodeElsewhere(_ event: ServerSentEvent, of response: HTTPResponse) async throws(NetworkError) -> Value {
        try decode(event, of: response)
    }

    /// The value of a document; `nil` if it requires the decoder itself, which also creates the errors.
    private func fastValue(of text: String) throws -> Value? {
        // The type's own code runs during decoding, so the lock is not held.
        var series = series.withLock { $0.take() } ?? decoder.series
        defer { self.series.withLock { [series] in $0 = series } }
        var text = text
        return try text.withUTF8 { try series.decodeFast(Value.self, from: UnsafeRawBufferPointer($0)) }
    }
}
