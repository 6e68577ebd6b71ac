package import Foundation

/// How a call decodes what comes: the decoder of the configuration and the key strategy of the target.
package struct StandardDecoding: Sendable {
    package let decoder: JSONDecoder
    package let keys: JSONDecoder.KeyDecodingStrategy

    package init(decoder: JSONDecoder, keys: JSONDecoder.KeyDecodingStrategy) {
        self.decoder = decoder
        self.keys = keys
    }
}
