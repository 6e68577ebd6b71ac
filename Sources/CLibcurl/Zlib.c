#include "CZlib.h"
#include <assert.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
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

struct LCInflater {
    Stream stream;
};

static struct {
    int (*init)(Stream *stream, int windowBits, const char *version, int size);
    int (*inflate)(Stream *stream, int flush);
    int (*reset)(Stream *stream);
    int (*end)(Stream *stream);
} zlib;
static int isAvailable;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
#ifdef __linux__
    void *library = dlopen("libz.so.1", RTLD_NOW);
    if (!library) return;
#define FIND(member, name) (*(void **)(&zlib.member) = dlsym(library, name))
    isAvailable = FIND(init, "inflateInit2_") && FIND(inflate, "inflate") && FIND(reset, "inflateReset") &&
                  FIND(end, "inflateEnd");
#undef FIND
#endif
}

int lc_inflate_available(void) {
    pthread_once(&once, load);
    return isAvailable;
}

LCInflater *lc_inflate_create(LCCoding coding) {
    if (!lc_inflate_available()) return 0;
    LCInflater *inflater = calloc(1, sizeof *inflater);
    if (!inflater) return 0;
    const int largest = 15, gzip = 16;
    int bits = coding == LC_CODING_GZIP ? largest + gzip : coding == LC_CODING_ZLIB ? largest : -largest;
    if (zlib.init(&inflater->stream, bits, "1", sizeof(Stream)) == 0) return inflater;
    free(inflater);
    return 0;
}

void lc_inflate_destroy(LCInflater *inflater) {
    zlib.end(&inflater->stream);
    free(inflater);
}

int lc_inflate_again(LCInflater *inflater) { return zlib.reset(&inflater->stream) == 0; }

LCInflation lc_inflate(LCInflater *inflater, const unsigned char **input, size_t *inputCount, unsigned char *output,
                       size_t capacity, size_t *produced) {
    const int stepwise = 0, ended = 1, stuck = -5;
    Stream *stream = &inflater->stream;
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
    if (code == ended) return LC_INFLATE_END;
    if (code != 0 && code != stuck) return LC_INFLATE_WRONG;
    return stream->outputCount == 0 ? LC_INFLATE_FULL : LC_INFLATE_MORE;
}
