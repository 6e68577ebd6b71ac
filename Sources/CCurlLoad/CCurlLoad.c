#include "CCurlLoad.h"
#include "CLibcurl.h"
#include <time.h>

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

static int add(LCMulti *multi, const char *url) {
    LCEasy *easy = lc_easy_create();
    if (!easy) return -1;
    lc_set_text(easy, LC_OPT_URL, url);
    lc_set_number(easy, LC_OPT_NOSIGNAL, 1);
    lc_set_number(easy, LC_OPT_HTTP_VERSION, LC_HTTP_1_1);
    lc_set_text(easy, LC_OPT_PROXY, "");
    lc_set_data_callback(easy, LC_OPT_WRITEFUNCTION, drop);
    return lc_multi_add(multi, easy);
}

double curl_load(const char *url, int requests, int concurrency) {
    if (lc_load() != LC_LOADED) return -1;
    LCMulti *multi = lc_multi_create();
    if (!multi) return -1;
    lc_multi_set_number(multi, LC_MULTI_MAXCONNECTS, concurrency + 8);
    double start = now();
    int begun = 0, ended = 0, failed = 0, running = 0;
    for (; begun < concurrency && begun < requests; begun++) failed += add(multi, url) != 0;
    while (ended < requests && !failed) {
        failed += lc_multi_perform(multi, &running) != 0;
        int code = 0, any = 0;
        LCEasy *easy;
        while ((easy = lc_multi_ended(multi, &code))) {
            any = 1;
            ended++;
            failed += code != 0;
            lc_multi_remove(multi, easy);
            if (begun < requests) {
                begun++;
                failed += lc_multi_add(multi, easy) != 0;
            } else {
                lc_easy_destroy(easy);
            }
        }
        if (!any && ended < requests) lc_multi_poll(multi, 1000);
    }
    double time = now() - start;
    lc_multi_destroy(multi);
    return failed ? -1 : time;
}
