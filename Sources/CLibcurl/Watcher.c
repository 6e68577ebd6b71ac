#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "CLibcurlSockets.h"
#include "Internal.h"

#ifdef __linux__

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { most_events = 256 };

struct LCWatcher {
    int epoll;
    int wake;
};

LCWatcher *lc_watcher_create(void) {
    LCWatcher *watcher = calloc(1, sizeof *watcher);
    if (!watcher) return 0;
    watcher->epoll = epoll_create1(EPOLL_CLOEXEC);
    watcher->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN};
    if (watcher->epoll >= 0 && watcher->wake >= 0 &&
        epoll_ctl(watcher->epoll, EPOLL_CTL_ADD, watcher->wake, &event) == 0) {
        return watcher;
    }
    lc_watcher_destroy(watcher);
    return 0;
}

void lc_watcher_destroy(LCWatcher *watcher) {
    if (watcher->epoll >= 0) close(watcher->epoll);
    if (watcher->wake >= 0) close(watcher->wake);
    free(watcher);
}

void lc_watcher_wake(LCWatcher *watcher) {
    const uint64_t one = 1;
    // Fails only if the descriptor is readable already.
    ssize_t written = write(watcher->wake, &one, sizeof one);
    (void)written;
}

int lc_watcher_set(LCWatcher *watcher, int descriptor, int old, int wanted, LCEasy *key) {
    struct epoll_event event = {.data.ptr = key};
    if (wanted & LC_WATCH_IN) event.events |= EPOLLIN;
    if (wanted & LC_WATCH_OUT) event.events |= EPOLLOUT;
    return epoll_ctl(watcher->epoll, !old ? EPOLL_CTL_ADD : wanted ? EPOLL_CTL_MOD : EPOLL_CTL_DEL, descriptor, &event);
}

int lc_watcher_wait(LCWatcher *watcher, LCMulti *multi, LCReady *ready, unsigned int capacity, int milliseconds) {
    struct epoll_event events[most_events];
    if (multi) {
        if (lc_multi_wait(multi, watcher->epoll, milliseconds) != 0) return -1;
        milliseconds = 0;
    }
    int most = capacity < most_events ? (int)capacity : most_events;
    int count = epoll_wait(watcher->epoll, events, most, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -1;
    int found = 0;
    for (int index = 0; index < count; index++) {
        uint32_t news = events[index].events;
        if (!events[index].data.ptr) {
            uint64_t times;
            ssize_t taken = read(watcher->wake, &times, sizeof times);
            (void)taken;
            continue;
        }
        // The end of a connection is seen by reading or sending.
        bool isOver = news & (EPOLLERR | EPOLLHUP);
        ready[found].key = events[index].data.ptr;
        ready[found].ready = (news & EPOLLIN || isOver ? LC_WATCH_IN : 0) | (news & EPOLLOUT || isOver ? LC_WATCH_OUT : 0);
        found += 1;
    }
    return found;
}

#else

LCWatcher *lc_watcher_create(void) { return 0; }
void lc_watcher_destroy(LCWatcher *watcher) { (void)watcher; }
void lc_watcher_wake(LCWatcher *watcher) { (void)watcher; }
int lc_watcher_set(LCWatcher *watcher, int descriptor, int old, int wanted, LCEasy *key) {
    return (void)watcher, (void)descriptor, (void)old, (void)wanted, (void)key, -1;
}
int lc_watcher_wait(LCWatcher *watcher, LCMulti *multi, LCReady *ready, unsigned int capacity, int milliseconds) {
    return (void)watcher, (void)multi, (void)ready, (void)capacity, (void)milliseconds, -1;
}

#endif
