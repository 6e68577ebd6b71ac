/// zlib's decoder, found at run time: libcurl undoes gzip too, but does not say when it was cut off.
#pragma once

#include <stddef.h>

typedef struct LCInflater LCInflater;

typedef enum LCInflation {
    /// All input was taken and more may come.
    LC_INFLATE_MORE,
    /// The output is full; call again.
    LC_INFLATE_FULL,
    /// The compressed stream has ended.
    LC_INFLATE_END,
    /// This is not what it should be.
    LC_INFLATE_WRONG,
} LCInflation;

typedef enum LCCoding { LC_CODING_GZIP, LC_CODING_ZLIB, LC_CODING_RAW } LCCoding;

/// Whether zlib is there.
int lc_inflate_available(void);
LCInflater *lc_inflate_create(LCCoding coding);
void lc_inflate_destroy(LCInflater *inflater);
/// Makes ready for another member behind the one that has ended.
int lc_inflate_again(LCInflater *inflater);
/// Moves both positions by what was used.
LCInflation lc_inflate(LCInflater *inflater, const unsigned char **input, size_t *inputCount, unsigned char *output,
                       size_t capacity, size_t *produced);
