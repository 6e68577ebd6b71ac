#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "CLibcurlLoop.h"
#include "CLibcurlNumbers.h"
#include "Internal.h"

#ifdef __linux__

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/// What libcurl wants to know of a socket, and what it is told.
enum { wants_input = 1, wants_output = 2, wants_nothing_more = 4 };
enum { has_input = 1, has_output = 2, has_error = 4 };
enum { no_socket = -1 };

/// `curl_sockaddr`.
typedef struct Address {
    int family;
    int type;
    int protocol;
    unsigned int length;
    struct sockaddr address;
} Address;

/// What the epoll set has of a descriptor.
typedef struct Watch {
    uint32_t events;
    bool isRegistered;
    /// Whether libcurl wants to hear of it.
    bool isWanted;
    /// Whether its opening and closing are told to us; others may change behind our back.
    bool isOwn;
    /// For whom libcurl wanted to hear of it last. Only to be compared: it may be gone.
    LCEasy *easy;
    /// Greater for a later wish.
    uint64_t wish;
} Watch;

enum { most_events = 256 };

struct LCLoop {
    LCMulti *multi;
    int epoll;
    int wake;
    /// When libcurl is to be called without an event, in milliseconds of the monotonic clock; -1 for never.
    int64_t due;
    Watch *watches;
    int count;
    /// Whose sockets had something to say in the last step that libcurl did not want to hear.
    LCEasy *unheard[most_events];
    int unheardCount;
    uint64_t wishes;
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/// The watch of a descriptor; null when memory is short.
static Watch *watch(LCLoop *loop, int descriptor) {
    if (descriptor < 0) return 0;
    if (descriptor >= loop->count) {
        int count = descriptor * 2 + 64;
        Watch *grown = realloc(loop->watches, (size_t)count * sizeof *grown);
        if (!grown) return 0;
        memset(grown + loop->count, 0, (size_t)(count - loop->count) * sizeof *grown);
        loop->watches = grown;
        loop->count = count;
    }
    return loop->watches + descriptor;
}

static void forget(LCLoop *loop, int descriptor, Watch *watch) {
    if (watch->isRegistered) epoll_ctl(loop->epoll, EPOLL_CTL_DEL, descriptor, 0);
    watch->isRegistered = false;
}

static int socket_changed(LCEasy *easy, int descriptor, int wish, void *context, void *socket_context) {
    (void)socket_context;
    LCLoop *loop = context;
    Watch *it = watch(loop, descriptor);
    if (!it) return -1;
    it->isWanted = wish != wants_nothing_more;
    if (it->isWanted) {
        it->easy = easy;
        it->wish = ++loop->wishes;
    }
    if (!it->isWanted) {
        // The next request on the connection wants the same again: staying in the set saves two system calls for each.
        if (!it->isOwn) forget(loop, descriptor, it);
        return 0;
    }
    struct epoll_event event = {.data.fd = descriptor};
    if (wish & wants_input) event.events |= EPOLLIN;
    if (wish & wants_output) event.events |= EPOLLOUT;
    if (it->isRegistered && it->events == event.events) return 0;
    int failed = epoll_ctl(loop->epoll, it->isRegistered ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event);
    if (failed && errno == ENOENT) failed = epoll_ctl(loop->epoll, EPOLL_CTL_ADD, descriptor, &event);
    if (failed && errno == EEXIST) failed = epoll_ctl(loop->epoll, EPOLL_CTL_MOD, descriptor, &event);
    it->isRegistered = !failed;
    it->events = event.events;
    return failed ? -1 : 0;
}

static int timer_changed(LCMulti *multi, long milliseconds, void *context) {
    (void)multi;
    LCLoop *loop = context;
    loop->due = milliseconds < 0 ? -1 : now() + milliseconds;
    return 0;
}

static int open_socket(void *context, int purpose, void *where) {
    (void)purpose;
    const Address *address = where;
    int descriptor = socket(address->family, address->type | SOCK_CLOEXEC, address->protocol);
    Watch *it = descriptor < 0 ? 0 : watch(context, descriptor);
    if (it) *it = (Watch){.isOwn = true};
    return descriptor;
}

static int close_socket(void *context, int descriptor) {
    LCLoop *loop = context;
    // The kernel takes a closed descriptor out of the set.
    if (descriptor >= 0 && descriptor < loop->count) loop->watches[descriptor] = (Watch){0};
    return close(descriptor);
}

LCLoop *lc_loop_create(void) {
    LCLoop *loop = calloc(1, sizeof *loop);
    if (!loop) return 0;
    loop->due = -1;
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    loop->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    loop->multi = lc_multi_create();
    struct epoll_event event = {.events = EPOLLIN, .data.fd = loop->wake};
    bool isComplete = loop->epoll >= 0 && loop->wake >= 0 && loop->multi &&
                      epoll_ctl(loop->epoll, EPOLL_CTL_ADD, loop->wake, &event) == 0;
    if (!isComplete) {
        lc_loop_destroy(loop);
        return 0;
    }
    lc_multi_attach(loop->multi, socket_changed, timer_changed, loop);
    return loop;
}

void lc_loop_destroy(LCLoop *loop) {
    if (loop->multi) lc_multi_destroy(loop->multi);
    if (loop->epoll >= 0) close(loop->epoll);
    if (loop->wake >= 0) close(loop->wake);
    free(loop->watches);
    free(loop);
}

LCMulti *lc_loop_multi(LCLoop *loop) { return loop->multi; }

void lc_loop_wake(LCLoop *loop) {
    const uint64_t one = 1;
    // It fails only when it is readable already.
    ssize_t written = write(loop->wake, &one, sizeof one);
    (void)written;
}

void lc_loop_attach(LCLoop *loop, LCEasy *easy) {
    lc_easy_attach(easy, open_socket, close_socket, loop);
}

/// Whether a handle wanted to hear of no other socket after this one: it has gone from connection to connection.
static bool is_latest(LCLoop *loop, Watch *watch) {
    for (int descriptor = 0; descriptor < loop->count; descriptor++) {
        Watch *other = loop->watches + descriptor;
        if (other->easy == watch->easy && other->wish > watch->wish) return false;
    }
    return true;
}

static int take_event(LCLoop *loop, struct epoll_event event) {
    int descriptor = event.data.fd;
    int running = 0;
    if (descriptor == loop->wake) {
        uint64_t times;
        ssize_t taken = read(loop->wake, &times, sizeof times);
        (void)taken;
        return 0;
    }
    Watch *it = watch(loop, descriptor);
    if (it && !it->isWanted) {
        // An idle connection that has something to say was closed; libcurl finds out before it uses it. One whose
        // exchange waits for bytes to send was closed too, and that libcurl does not find out.
        if (loop->unheardCount < most_events && is_latest(loop, it)) loop->unheard[loop->unheardCount++] = it->easy;
        forget(loop, descriptor, it);
        return 0;
    }
    int news = (event.events & EPOLLIN ? has_input : 0) | (event.events & EPOLLOUT ? has_output : 0) |
               (event.events & (EPOLLERR | EPOLLHUP) ? has_error | has_input : 0);
    return lc_multi_socket_action(loop->multi, descriptor, news, &running);
}

int lc_loop_step(LCLoop *loop, int longest) {
    struct epoll_event events[most_events];
    int running = 0;
    loop->unheardCount = 0;
    int64_t wait = loop->due < 0 ? longest : loop->due - now();
    if (wait <= 0) {
        // What was just added begins here; nothing sleeps before its outcome was looked at.
        loop->due = -1;
        int code = lc_multi_socket_action(loop->multi, no_socket, 0, &running);
        if (code) return code;
        wait = 0;
    }
    int count = epoll_wait(loop->epoll, events, most_events, wait > longest ? longest : (int)wait);
    for (int index = 0; index < count; index++) {
        int code = take_event(loop, events[index]);
        if (code) return code;
    }
    return 0;
}

LCEasy *lc_loop_take_unheard(LCLoop *loop) {
    return loop->unheardCount > 0 ? loop->unheard[--loop->unheardCount] : 0;
}

#else

LCLoop *lc_loop_create(void) { return 0; }
void lc_loop_destroy(LCLoop *loop) { (void)loop; }
LCMulti *lc_loop_multi(LCLoop *loop) { return (void)loop, (LCMulti *)0; }
void lc_loop_wake(LCLoop *loop) { (void)loop; }
void lc_loop_attach(LCLoop *loop, LCEasy *easy) { (void)loop, (void)easy; }
int lc_loop_step(LCLoop *loop, int longest) { return (void)loop, (void)longest, -1; }
LCEasy *lc_loop_take_unheard(LCLoop *loop) { return (void)loop, (LCEasy *)0; }

#endif
