#include "Decoding.h"
#include <dlfcn.h>

static struct {
    void *(*create)(void *allocate, void *deallocate, void *context);
    void (*destroy)(void *stream);
    int (*decode)(void *stream, size_t *inputCount, const unsigned char **input, size_t *capacity,
                  unsigned char **output, size_t *total);
} brotli;

static int load(void) {
#ifdef __linux__
    void *library = dlopen("libbrotlidec.so.1", RTLD_NOW);
    return library && LC_FIND(brotli, library, create, "BrotliDecoderCreateInstance") &&
           LC_FIND(brotli, library, destroy, "BrotliDecoderDestroyInstance") &&
           LC_FIND(brotli, library, decode, "BrotliDecoderDecompressStream");
#else
    return 0;
#endif
}

static void *create(LCCoding coding) {
    (void)coding;
    return brotli.create(0, 0, 0);
}

static void destroy(void *stream) { brotli.destroy(stream); }

static LCDecoding decode(void *stream, const unsigned char **input, size_t *inputCount, unsigned char *output,
                         size_t capacity, size_t *produced) {
    const int ended = 1, needsInput = 2, needsOutput = 3;
    size_t room = capacity;
    int code = brotli.decode(stream, inputCount, input, &room, &output, 0);
    *produced = capacity - room;
    if (code == ended) return LC_DECODING_END;
    if (code == needsOutput) return LC_DECODING_FULL;
    return code == needsInput ? LC_DECODING_MORE : LC_DECODING_WRONG;
}

// A body is one stream.
const LCCodec lc_codec_brotli = {load, create, destroy, 0, decode};
