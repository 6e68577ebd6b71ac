#include "Decoding.h"
#include <dlfcn.h>

typedef struct Input {
    const void *bytes;
    size_t count;
    size_t position;
} Input;

typedef struct Output {
    void *bytes;
    size_t count;
    size_t position;
} Output;

static struct {
    void *(*create)(void);
    size_t (*destroy)(void *stream);
    size_t (*set)(void *stream, int parameter, int value);
    size_t (*decode)(void *stream, Output *output, Input *input);
    unsigned (*isError)(size_t code);
} zstd;

static int load(void) {
#ifdef __linux__
    void *library = dlopen("libzstd.so.1", RTLD_NOW);
    return library && LC_FIND(zstd, library, create, "ZSTD_createDStream") &&
           LC_FIND(zstd, library, destroy, "ZSTD_freeDStream") &&
           LC_FIND(zstd, library, set, "ZSTD_DCtx_setParameter") &&
           LC_FIND(zstd, library, decode, "ZSTD_decompressStream") &&
           LC_FIND(zstd, library, isError, "ZSTD_isError");
#else
    return 0;
#endif
}

static void *create(LCCoding coding) {
    (void)coding;
    // The content coding has a window of at most 8 MB (RFC 9659).
    const int windowLogMax = 100, largest = 23;
    void *stream = zstd.create();
    if (!stream || !zstd.isError(zstd.set(stream, windowLogMax, largest))) return stream;
    zstd.destroy(stream);
    return 0;
}

static void destroy(void *stream) { zstd.destroy(stream); }

// The next call begins a frame.
static int again(void *stream) {
    (void)stream;
    return 1;
}

static LCDecoding decode(void *stream, const unsigned char **input, size_t *inputCount, unsigned char *output,
                         size_t capacity, size_t *produced) {
    Input in = {*input, *inputCount, 0};
    Output out = {output, capacity, 0};
    size_t code = zstd.decode(stream, &out, &in);
    *input += in.position;
    *inputCount -= in.position;
    *produced = out.position;
    if (zstd.isError(code)) return LC_DECODING_WRONG;
    if (code == 0) return LC_DECODING_END;
    return out.position == capacity ? LC_DECODING_FULL : LC_DECODING_MORE;
}

const LCCodec lc_codec_zstd = {load, create, destroy, again, decode};
