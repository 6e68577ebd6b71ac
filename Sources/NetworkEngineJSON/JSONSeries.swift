package import Foundation

/// Decodes several documents, with settings that are read once and memory that is reused.
///
/// Copies share the memory until one of them decodes.
package struct JSONSeries {
    private let settings: JSONSettings?
    /// The latest document, kept for its memory.
    private var document: JSONDocument?

    /// Reads the decoder's settings. Without a decoder, all documents are left to others.
    package init(_ decoder: JSONDecoder?) {
        settings = JSONDecoder.hasKnownBehavior ? decoder.flatMap { JSONSettings($0) } : nil
    }

    /// Decodes the next document; all documents of a decoder with other settings are left to `decode`.
    package mutating func decode<Value: Decodable>(
        _ type: Value.Type, from text: ArraySlice<UInt8>, otherwise decode: (Data) throws -> Value
    ) throws -> Value {
        guard let settings else { return try decode(Data(text)) }
        do {
            return try text.withUnsafeBytes { try settings.decode(type, from: $0, in: &document) }
        } catch is JSONSettings.NeedsDecoder {
            return try settings.decoder.decodeSlowly(type, from: Data(text))
        }
    }

    /// Decodes the next document; `nil` if its value or error requires the decoder.
    package mutating func decodeFast<Value: Decodable>(
        _ type: Value.Type, from text: UnsafeRawBufferPointer
    ) throws -> Value? {
        guard let settings else { return nil }
        do {
            return try settings.decode(type, from: text, in: &document)
        } catch is JSONSettings.NeedsDecoder {
            return nil
        }
    }
}

extension JSONSettings {
    /// Decodes a text into a reused document, and drops the document if the value keeps a part of it.
    ///
    /// - Throws: `NeedsDecoder` if the result requires the decoder. Optional results would cost more than documents of
    ///   a few bytes.
    func decode<Value: Decodable>(
        _ type: Value.Type, from text: UnsafeRawBufferPointer, in reused: inout JSONDocument?
    ) throws -> Value {
        // A copy of the series may use the document concurrently.
        var document = isKnownUniquelyReferenced(&reused) ? reused.take() ?? JSONDocument(self) : JSONDocument(self)
        let outcome = document.scan(text)
        guard outcome == .isRead else {
            if document.isSmall { reused = document }
            guard outcome == .isInvalid, FoundationErrors.areKnown else { throw NeedsDecoder() }
            throw DecodingError.notJSON
        }
        let value: Value
        do {
            value = try document.text.scalar(type) ?? document.value(type, JSONValue(document))
        } catch {
            guard !document.needsFallback, !document.errorNeedsFoundation, FoundationErrors.areKnown else {
                throw NeedsDecoder()
            }
            // A type may keep its decoder and throw. Foundation's decoder would then read what no longer exists.
            if document.isSmall, isKnownUniquelyReferenced(&document) { reused = document }
            throw JSONError.topLevel(error)
        }
        guard !document.needsFallback, isKnownUniquelyReferenced(&document) else { throw NeedsDecoder() }
        if document.isSmall { reused = document }
        return value
    }

    struct NeedsDecoder: Error {}
}
