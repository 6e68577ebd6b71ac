#include "Decoding.h"
#include <pthread.h>
#include <stdlib.h>

struct LCDecoder {
    const LCCodec *codec;
    void *stream;
};

static int hasZlib, hasBrotli, hasZstd;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    hasZlib = lc_codec_zlib.load();
    hasBrotli = lc_codec_brotli.load();
    hasZstd = lc_codec_zstd.load();
}

static const LCCodec *codec(LCCoding coding) {
    pthread_once(&once, load);
    if (coding == LC_CODING_BROTLI) return hasBrotli ? &lc_codec_brotli : 0;
    if (coding == LC_CODING_ZSTD) return hasZstd ? &lc_codec_zstd : 0;
    return hasZlib ? &lc_codec_zlib : 0;
}

int lc_decoder_available(LCCoding coding) { return codec(coding) != 0; }

LCDecoder *lc_decoder_create(LCCoding coding) {
    const LCCodec *found = codec(coding);
    LCDecoder *decoder = found ? calloc(1, sizeof *decoder) : 0;
    if (!decoder) return 0;
    decoder->codec = found;
    decoder->stream = found->create(coding);
    if (decoder->stream) return decoder;
    free(decoder);
    return 0;
}

void lc_decoder_destroy(LCDecoder *decoder) {
    decoder->codec->destroy(decoder->stream);
    free(decoder);
}

int lc_decoder_again(LCDecoder *decoder) { return decoder->codec->again && decoder->codec->again(decoder->stream); }

LCDecoding lc_decode(LCDecoder *decoder, const unsigned char **input, size_t *inputCount, unsigned char *output,
                     size_t capacity, size_t *produced) {
    return decoder->codec->decode(decoder->stream, input, inputCount, output, capacity, produced);
}
