#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "CLibcurl.h"
#include "Internal.h"
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

/// 7.68.0. Older versions are not tested.
static const unsigned int oldest = 0x074400;

/// `CURLMsg`.
typedef struct Message {
    int kind;
    LCEasy *easy;
    union {
        void *nothing;
        int code;
    } data;
} Message;
static_assert(offsetof(Message, easy) == sizeof(void *), "the handle is the second word");
static_assert(offsetof(Message, data) == 2 * sizeof(void *), "the code is the third word");

/// The beginning of `curl_version_info_data`, which grows only at its end.
typedef struct VersionInfo {
    int age;
    const char *version;
    unsigned int number;
    const char *host;
    int features;
    const char *tls;
} VersionInfo;
static_assert(offsetof(VersionInfo, number) == 2 * sizeof(void *), "as documented");
static_assert(offsetof(VersionInfo, features) == 4 * sizeof(void *), "as documented");
static_assert(offsetof(VersionInfo, tls) == 5 * sizeof(void *), "as documented");

/// `curl_certinfo`: a list of lines for each certificate of the chain.
typedef struct Chain {
    int count;
    LCLine **certificates;
} Chain;

static_assert(sizeof(long) == sizeof(void *), "options that are numbers are as wide as pointers here");

static struct {
    int (*global_init)(long flags);
    const VersionInfo *(*version_info)(int age);
    const char *(*easy_strerror)(int code);
    LCEasy *(*easy_init)(void);
    void (*easy_cleanup)(LCEasy *easy);
    int (*easy_pause)(LCEasy *easy, int flags);
    int (*easy_setopt)(LCEasy *easy, int option, ...);
    LCLine *(*slist_append)(LCLine *list, const char *text);
    int (*easy_getinfo)(LCEasy *easy, int info, ...);
    LCMulti *(*multi_init)(void);
    int (*multi_cleanup)(LCMulti *multi);
    int (*multi_setopt)(LCMulti *multi, int option, ...);
    int (*multi_add_handle)(LCMulti *multi, LCEasy *easy);
    int (*multi_remove_handle)(LCMulti *multi, LCEasy *easy);
    int (*multi_perform)(LCMulti *multi, int *running);
    int (*multi_poll)(LCMulti *multi, void *extra, unsigned int extraCount, int milliseconds, int *ready);
    int (*multi_socket_action)(LCMulti *multi, int socket, int events, int *running);
    int (*easy_send)(LCEasy *easy, const void *bytes, size_t count, size_t *sent);
    int (*easy_recv)(LCEasy *easy, void *bytes, size_t capacity, size_t *received);
    Message *(*multi_info_read)(LCMulti *multi, int *left);
} curl;

static LCLoading loading = LC_ABSENT;
static const VersionInfo *info;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// The only conversion from an object pointer to a function pointer that POSIX allows.
#define FIND(name) (*(void **)(&curl.name) = dlsym(library, "curl_" #name))

static bool find_new(void *library) {
    return FIND(multi_poll) && FIND(multi_socket_action) && FIND(easy_send) && FIND(easy_recv);
}

static bool find_old(void *library) {
    return FIND(global_init) && FIND(version_info) && FIND(easy_strerror) && FIND(easy_init) && FIND(easy_cleanup) &&
           FIND(easy_pause) && FIND(easy_setopt) && FIND(slist_append) && FIND(easy_getinfo) && FIND(multi_init) && FIND(multi_cleanup) &&
           FIND(multi_setopt) && FIND(multi_add_handle) && FIND(multi_remove_handle) && FIND(multi_perform) &&
           FIND(multi_info_read);
}

static void load(void) {
#ifdef __linux__
    // Prefers the libcurl that FoundationNetworking has loaded: two copies would not share their state.
    bool is_loaded = dlsym(RTLD_DEFAULT, "curl_multi_init") != 0;
    void *library = is_loaded ? RTLD_DEFAULT : dlopen("libcurl.so.4", RTLD_NOW);
    if (!is_loaded && !library) return;
    loading = LC_UNUSABLE;
    if (!find_old(library)) return;
    const int first_layout = 0;
    info = curl.version_info(first_layout);
    if (!info || info->number < oldest) {
        loading = LC_TOO_OLD;
        return;
    }
    if (!find_new(library)) return;
    const long everything = 3;
    loading = curl.global_init(everything) == 0 ? LC_LOADED : LC_UNUSABLE;
#endif
}

LCLoading lc_load(void) {
    pthread_once(&once, load);
    return loading;
}

const char *lc_version(void) { return info && info->version ? info->version : ""; }
unsigned int lc_version_number(void) { return info ? info->number : 0; }
int lc_features(void) { return info ? info->features : 0; }
const char *lc_tls_library(void) { return info && info->tls ? info->tls : ""; }
const char *lc_error_text(int code) { return curl.easy_strerror(code); }

LCEasy *lc_easy_create(void) { return curl.easy_init(); }
void lc_easy_destroy(LCEasy *easy) { curl.easy_cleanup(easy); }
int lc_easy_pause(LCEasy *easy, int flags) { return curl.easy_pause(easy, flags); }

int lc_set_number(LCEasy *easy, int option, long value) { return curl.easy_setopt(easy, option, value); }
int lc_set_large(LCEasy *easy, int option, int64_t value) { return curl.easy_setopt(easy, option, value); }
int lc_set_text(LCEasy *easy, int option, const char *value) { return curl.easy_setopt(easy, option, value); }
int lc_set_pointer(LCEasy *easy, int option, const void *value) { return curl.easy_setopt(easy, option, value); }
int lc_set_blob(LCEasy *easy, int option, const LCBlob *value) { return curl.easy_setopt(easy, option, value); }

int lc_set_data_callback(LCEasy *easy, int option, LCDataCallback value) {
    return curl.easy_setopt(easy, option, value);
}

int lc_set_seek_callback(LCEasy *easy, int option, LCSeekCallback value) {
    return curl.easy_setopt(easy, option, value);
}

int lc_set_prereq_callback(LCEasy *easy, int option, LCPrereqCallback value) {
    return curl.easy_setopt(easy, option, value);
}

int lc_set_trailer_callback(LCEasy *easy, LCTrailerCallback value) {
    return curl.easy_setopt(easy, LC_OPT_TRAILERFUNCTION, value);
}

bool lc_list_append(LCLine **list, const char *lines, size_t count) {
    for (size_t start = 0; start < count; start += strlen(lines + start) + 1) {
        LCLine *longer = curl.slist_append(*list, lines + start);
        if (!longer) return false;
        *list = longer;
    }
    return true;
}

int lc_set_debug_callback(LCEasy *easy, int option, LCDebugCallback value) {
    return curl.easy_setopt(easy, option, value);
}

long lc_number(LCEasy *easy, int which) {
    long value = 0;
    return curl.easy_getinfo(easy, which, &value) == 0 ? value : 0;
}

int64_t lc_large(LCEasy *easy, int which) {
    int64_t value = 0;
    return curl.easy_getinfo(easy, which, &value) == 0 ? value : 0;
}

const char *lc_text(LCEasy *easy, int which) {
    char *value = 0;
    return curl.easy_getinfo(easy, which, &value) == 0 ? value : 0;
}

const char *lc_server_certificate(LCEasy *easy) {
    const int chain_info = 0x400022;
    const char name[] = "Cert:";
    const Chain *chain = 0;
    if (curl.easy_getinfo(easy, chain_info, &chain) != 0 || !chain || chain->count < 1) return 0;
    for (const LCLine *line = chain->certificates[0]; line; line = line->next) {
        if (strncmp(line->text, name, sizeof name - 1) == 0) return line->text + sizeof name - 1;
    }
    return 0;
}

void *lc_private(LCEasy *easy) {
    const int private_pointer = 0x100015;
    void *value = 0;
    return curl.easy_getinfo(easy, private_pointer, &value) == 0 ? value : 0;
}

LCMulti *lc_multi_create(void) { return curl.multi_init(); }
void lc_multi_destroy(LCMulti *multi) { curl.multi_cleanup(multi); }

int lc_multi_set_number(LCMulti *multi, int option, long value) { return curl.multi_setopt(multi, option, value); }
int lc_multi_add(LCMulti *multi, LCEasy *easy) { return curl.multi_add_handle(multi, easy); }
int lc_multi_remove(LCMulti *multi, LCEasy *easy) { return curl.multi_remove_handle(multi, easy); }
int lc_multi_perform(LCMulti *multi, int *running) { return curl.multi_perform(multi, running); }
int lc_multi_poll(LCMulti *multi, int milliseconds) { return curl.multi_poll(multi, 0, 0, milliseconds, 0); }

/// `curl_waitfd`.
typedef struct WaitDescriptor {
    int descriptor;
    short wanted;
    short ready;
} WaitDescriptor;

int lc_multi_wait(LCMulti *multi, int descriptor, int milliseconds) {
    WaitDescriptor input = {descriptor, LC_WATCH_IN, 0};
    return curl.multi_poll(multi, &input, 1, milliseconds, 0);
}

int lc_easy_socket(LCEasy *easy) {
    const int active_socket = 0x50002C;
    int descriptor = -1;
    return curl.easy_getinfo(easy, active_socket, &descriptor) == 0 ? descriptor : -1;
}

int lc_easy_send(LCEasy *easy, const void *bytes, size_t count, size_t *sent) {
    *sent = 0;
    return curl.easy_send(easy, bytes, count, sent);
}

int lc_easy_receive(LCEasy *easy, void *bytes, size_t capacity, size_t *received) {
    *received = 0;
    return curl.easy_recv(easy, bytes, capacity, received);
}

LCEasy *lc_multi_ended(LCMulti *multi, int *code) {
    const int done = 1;
    int left = 0;
    Message *message;
    while ((message = curl.multi_info_read(multi, &left))) {
        if (message->kind != done) continue;
        *code = message->data.code;
        return message->easy;
    }
    return 0;
}

void lc_multi_attach(LCMulti *multi, int (*socket)(LCEasy *, int, int, void *, void *),
                     int (*timer)(LCMulti *, long, void *), void *context) {
    curl.multi_setopt(multi, LC_MULTI_SOCKETFUNCTION, socket);
    curl.multi_setopt(multi, LC_MULTI_SOCKETDATA, context);
    curl.multi_setopt(multi, LC_MULTI_TIMERFUNCTION, timer);
    curl.multi_setopt(multi, LC_MULTI_TIMERDATA, context);
}

void lc_easy_attach(LCEasy *easy, int (*open)(void *, int, void *), void *opener, int (*close)(void *, int),
                    void *closer) {
    curl.easy_setopt(easy, LC_OPT_OPENSOCKETFUNCTION, open);
    curl.easy_setopt(easy, LC_OPT_OPENSOCKETDATA, opener);
    curl.easy_setopt(easy, LC_OPT_CLOSESOCKETFUNCTION, close);
    curl.easy_setopt(easy, LC_OPT_CLOSESOCKETDATA, closer);
}

int lc_multi_socket_action(LCMulti *multi, int socket, int events, int *running) {
    return curl.multi_socket_action(multi, socket, events, running);
}
