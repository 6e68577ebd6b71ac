#include "CCurlLoad.h"
#include "CLibcurl.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// The bytes of one response.
typedef struct {
    char *bytes;
    size_t count, capacity;
} Body;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static size_t drop(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes;
    (void)context;
    return size * count;
}

static size_t keep(char *bytes, size_t size, size_t count, void *context) {
    Body *body = context;
    size_t wanted = body->count + size * count;
    if (wanted > body->capacity) {
        char *larger = realloc(body->bytes, wanted * 2);
        if (!larger) return 0;
        body->bytes = larger;
        body->capacity = wanted * 2;
    }
    memcpy(body->bytes + body->count, bytes, size * count);
    body->count = wanted;
    return size * count;
}

static int add(LCMulti *multi, const char *url, const char *authorities, int keeps) {
    LCEasy *easy = lc_easy_create();
    if (!easy) return -1;
    lc_set_text(easy, LC_OPT_URL, url);
    lc_set_number(easy, LC_OPT_NOSIGNAL, 1);
    lc_set_number(easy, LC_OPT_HTTP_VERSION, authorities ? LC_HTTP_2_OVER_TLS : LC_HTTP_1_1);
    if (authorities) {
        lc_set_text(easy, LC_OPT_CAINFO, authorities);
        lc_set_number(easy, LC_OPT_PIPEWAIT, 1);
    }
    lc_set_text(easy, LC_OPT_PROXY, "");
    lc_set_data_callback(easy, LC_OPT_WRITEFUNCTION, keeps ? keep : drop);
    if (keeps) {
        Body *body = calloc(1, sizeof(Body));
        lc_set_pointer(easy, LC_OPT_WRITEDATA, body);
        lc_set_pointer(easy, LC_OPT_PRIVATE, body);
    }
    return lc_multi_add(multi, easy);
}

static int hand_over(LCEasy *easy, CurlLoadBody *on_body, void *context) {
    Body *body = lc_private(easy);
    int failed = on_body(context, body->bytes, body->count);
    body->count = 0;
    return failed;
}

static void destroy(LCEasy *easy) {
    Body *body = lc_private(easy);
    lc_easy_destroy(easy);
    if (body) free(body->bytes);
    free(body);
}

double curl_load(const char *url, int requests, int concurrency, const char *authorities, CurlLoadBody *on_body,
                 void *context) {
    if (lc_load() != LC_LOADED) return -1;
    LCMulti *multi = lc_multi_create();
    if (!multi) return -1;
    lc_multi_set_number(multi, LC_MULTI_MAXCONNECTS, concurrency + 8);
    double start = now();
    int begun = 0, ended = 0, failed = 0, running = 0;
    for (; begun < concurrency && begun < requests; begun++) {
        failed += add(multi, url, authorities, on_body != 0) != 0;
    }
    while (ended < requests && !failed) {
        failed += lc_multi_perform(multi, &running) != 0;
        int code = 0, any = 0;
        LCEasy *easy;
        while ((easy = lc_multi_ended(multi, &code))) {
            any = 1;
            ended++;
            failed += code != 0;
            if (on_body) failed += hand_over(easy, on_body, context);
            lc_multi_remove(multi, easy);
            if (begun < requests) {
                begun++;
                failed += lc_multi_add(multi, easy) != 0;
            } else {
                destroy(easy);
            }
        }
        if (!any && ended < requests) lc_multi_poll(multi, 1000);
    }
    double time = now() - start;
    lc_multi_destroy(multi);
    return failed ? -1 : time;
}
