/// zlib's decoder, found at run time. libcurl can decode gzip too, but does not report truncation.
#pragma once

#include <stddef.h>

typedef struct LCInflater LCInflater;

typedef enum LCInflation {
    /// All input was consumed, and more may follow.
    LC_INFLATE_MORE,
    /// The output is full; call again.
    LC_INFLATE_FULL,
    /// The compressed stream has ended.
    LC_INFLATE_END,
    /// The data is invalid.
    LC_INFLATE_WRONG,
} LCInflation;

typedef enum LCCoding { LC_CODING_GZIP, LC_CODING_ZLIB, LC_CODING_RAW } LCCoding;

/// Whether zlib is available.
int lc_inflate_available(void);
LCInflater *lc_inflate_create(LCCoding coding);
void lc_inflate_destroy(LCInflater *inflater);
/// Prepares for another gzip member after the one that has ended.
int lc_inflate_again(LCInflater *inflater);
/// Advances both positions by the number of bytes used.
LCInflation lc_inflate(LCInflater *inflater, const unsigned char **input, size_t *inputCount, unsigned char *output,
                       size_t capacity, size_t *produced);
