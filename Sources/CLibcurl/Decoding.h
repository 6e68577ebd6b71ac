/// What the decoder of one library supplies.
#pragma once

#include "CDecoding.h"

typedef struct LCCodec {
    /// Finds the library. Called once. Returns whether it is there.
    int (*load)(void);
    /// Returns null if memory is short.
    void *(*create)(LCCoding coding);
    void (*destroy)(void *stream);
    /// Prepares for another part after the one that has ended; null if none may follow.
    int (*again)(void *stream);
    LCDecoding (*decode)(void *stream, const unsigned char **input, size_t *inputCount, unsigned char *output,
                         size_t capacity, size_t *produced);
} LCCodec;

extern const LCCodec lc_codec_zlib, lc_codec_brotli, lc_codec_zstd;

/// Finds functions in a library: `FIND(functions, member, "name")`.
#define LC_FIND(functions, library, member, name) (*(void **)(&(functions).member) = dlsym(library, name))
