/// Decoders of content codings, found at run time. libcurl can decode too, but does not report truncation.
#pragma once

#include <stddef.h>

typedef struct LCDecoder LCDecoder;

typedef enum LCDecoding {
    /// All input was consumed, and more may follow.
    LC_DECODING_MORE,
    /// The output is full; call again.
    LC_DECODING_FULL,
    /// The coded stream has ended.
    LC_DECODING_END,
    /// The data is invalid.
    LC_DECODING_WRONG,
} LCDecoding;

typedef enum LCCoding { LC_CODING_GZIP, LC_CODING_ZLIB, LC_CODING_RAW, LC_CODING_BROTLI, LC_CODING_ZSTD } LCCoding;

/// Whether the library of a coding is available.
int lc_decoder_available(LCCoding coding);
/// Returns null if the library is missing, or memory is short.
LCDecoder *lc_decoder_create(LCCoding coding);
void lc_decoder_destroy(LCDecoder *decoder);
/// Prepares for another gzip member or Zstandard frame after the one that has ended. Returns whether one may follow.
int lc_decoder_again(LCDecoder *decoder);
/// Advances both positions by the number of bytes used.
LCDecoding lc_decode(LCDecoder *decoder, const unsigned char **input, size_t *inputCount, unsigned char *output,
                     size_t capacity, size_t *produced);
