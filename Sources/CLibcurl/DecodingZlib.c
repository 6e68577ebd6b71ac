#include "Decoding.h"
#include <assert.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>

/// `z_stream`.
typedef struct Stream {
    const unsigned char *input;
    unsigned int inputCount;
    unsigned long inputTotal;
    unsigned char *output;
    unsigned int outputCount;
    unsigned long outputTotal;
    const char *message;
    void *state;
    void *(*allocate)(void *context, unsigned int count, unsigned int size);
    void (*deallocate)(void *context, void *pointer);
    void *context;
    int kind;
    unsigned long check;
    unsigned long reserved;
} Stream;
static_assert(sizeof(Stream) == 14 * sizeof(void *), "zlib compares the size with its own");

static struct {
    int (*init)(Stream *stream, int windowBits, const char *version, int size);
    int (*inflate)(Stream *stream, int flush);
    int (*reset)(Stream *stream);
    int (*end)(Stream *stream);
} zlib;

static int load(void) {
#ifdef __linux__
    void *library = dlopen("libz.so.1", RTLD_NOW);
    return library && LC_FIND(zlib, library, init, "inflateInit2_") && LC_FIND(zlib, library, inflate, "inflate") &&
           LC_FIND(zlib, library, reset, "inflateReset") && LC_FIND(zlib, library, end, "inflateEnd");
#else
    return 0;
#endif
}

static void *create(LCCoding coding) {
    Stream *stream = calloc(1, sizeof *stream);
    if (!stream) return 0;
    const int largest = 15, gzip = 16;
    int bits = coding == LC_CODING_GZIP ? largest + gzip : coding == LC_CODING_ZLIB ? largest : -largest;
    if (zlib.init(stream, bits, "1", sizeof(Stream)) == 0) return stream;
    free(stream);
    return 0;
}

static void destroy(void *stream) {
    zlib.end(stream);
    free(stream);
}

static int again(void *stream) { return zlib.reset(stream) == 0; }

static LCDecoding decode(void *decoder, const unsigned char **input, size_t *inputCount, unsigned char *output,
                         size_t capacity, size_t *produced) {
    const int stepwise = 0, ended = 1, stuck = -5;
    Stream *stream = decoder;
    unsigned int given = *inputCount > UINT_MAX ? UINT_MAX : (unsigned int)*inputCount;
    unsigned int room = capacity > UINT_MAX ? UINT_MAX : (unsigned int)capacity;
    stream->input = *input;
    stream->inputCount = given;
    stream->output = output;
    stream->outputCount = room;
    int code = zlib.inflate(stream, stepwise);
    *input += given - stream->inputCount;
    *inputCount -= given - stream->inputCount;
    *produced = room - stream->outputCount;
    if (code == ended) return LC_DECODING_END;
    if (code != 0 && code != stuck) return LC_DECODING_WRONG;
    return stream->outputCount == 0 ? LC_DECODING_FULL : LC_DECODING_MORE;
}

const LCCodec lc_codec_zlib = {load, create, destroy, again, decode};
