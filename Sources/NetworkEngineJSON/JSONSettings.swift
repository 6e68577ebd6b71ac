import Foundation

/// The decoder settings that this module supports, read once.
///
/// A class, so that documents share them.
final class JSONSettings: Sendable {
    let decoder: JSONDecoder
    let keyStyle: JSONKeyStyle
    let dates: JSONDecoder.DateDecodingStrategy
    let data: JSONDecoder.DataDecodingStrategy

    /// Returns `nil` if the results require the decoder: for a subclass, JSON5, `userInfo` (where types may leave
    /// marks), and unsupported strategies.
    convenience init?(_ decoder: JSONDecoder) {
        guard type(of: decoder) == JSONDecoder.self, !decoder.allowsJSON5,
            decoder.userInfo.isEmpty, case .throw = decoder.nonConformingFloatDecodingStrategy,
            let keyStyle = JSONKeyStyle(decoder.keyDecodingStrategy)
        else { return nil }
        self.init(decoder, keyStyle)
    }

    init(_ decoder: JSONDecoder, _ keyStyle: JSONKeyStyle) {
        self.decoder = decoder
        self.keyStyle = keyStyle
        dates = decoder.dateDecodingStrategy
        data = decoder.dataDecodingStrategy
    }
}
