package import Foundation

/// Decodes documents one after the other, with settings that are read once and memory that is used again.
///
/// Copies share the memory until one of them decodes.
package struct JSONSeries {
    private let settings: JSONSettings?
    /// The latest document, for its memory.
    private var document: JSONDocument?

    /// Reads the settings of the decoder. Without one, all documents are left to others.
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

    /// Decodes the next document; `nil` if only the decoder knows its value or error.
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
    /// Decodes a text into a document that is used again, and drops the document if the value keeps a part of it.
    ///
    /// - Throws: `NeedsDecoder` if only the decoder knows the result. Optional results would cost more than documents
    ///   of a few bytes.
    func decode<Value: Decodable>(
        _ type: Value.Type, from text: UnsafeRawBufferPointer, in reused: inout JSONDocument?
    ) throws -> Value {
        // A copy of the series may use the document at the same time.
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
            // A type may keep its decoder and throw. Foundation's would read what no longer exists.
            if document.isSmall, isKnownUniquelyReferenced(&document) { reused = document }
            throw JSONError.topLevel(error)
        }
        guard !document.needsFallback, isKnownUniquelyReferenced(&document) else { throw NeedsDecoder() }
        if document.isSmall { reused = document }
        return value
    }

    struct NeedsDecoder: Error {}
}
