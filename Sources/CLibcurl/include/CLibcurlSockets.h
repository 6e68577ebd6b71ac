/// Connections whose bytes the program sends and receives itself (`LC_OPT_CONNECT_ONLY`).
///
/// Such a handle stays in its multi handle as long as its connection is used, on the thread of that handle.
#pragma once

#include "CLibcurlCalls.h"

/// What a descriptor is ready for.
enum {
    LC_WATCH_IN = 1,
    LC_WATCH_OUT = 4,
};

/// A set of watched descriptors, and a descriptor that wakes it. The system keeps the set, so that waiting takes no time
/// for each descriptor of it.
typedef struct LCWatcher LCWatcher;

/// A handle whose descriptor is ready, and for what.
typedef struct LCReady {
    LCEasy *key;
    int ready;
} LCReady;

/// Makes a set; null if descriptors or memory run out, and on other systems than Linux.
LCWatcher *lc_watcher_create(void);
void lc_watcher_destroy(LCWatcher *watcher);
/// Ends the current sleep, or the next one. Can be called from any thread.
void lc_watcher_wake(LCWatcher *watcher);
/// Changes what a descriptor is watched for, from `old` to `wanted`. Returns 0 if the system does so.
int lc_watcher_set(LCWatcher *watcher, int descriptor, int old, int wanted, LCEasy *key);
/// Sleeps until a descriptor is ready or the set is woken. With a multi handle also until a socket of libcurl is ready
/// or a timer of libcurl is due.
///
/// Returns the number of ready descriptors; -1 if the system refuses to wait.
int lc_watcher_wait(LCWatcher *watcher, LCMulti *multi, LCReady *ready, unsigned int capacity, int milliseconds);

/// The descriptor of the handle's connection; -1 if it has none.
int lc_easy_socket(LCEasy *easy);
/// Sends bytes. Returns `LC_CODE_AGAIN` if none can be sent now; then call it again with the same bytes.
int lc_easy_send(LCEasy *easy, const void *bytes, size_t count, size_t *sent);
/// Receives bytes. None without an error means that the other end has finished.
int lc_easy_receive(LCEasy *easy, void *bytes, size_t capacity, size_t *received);
