/// Connections whose bytes the program sends and receives itself (`LC_OPT_CONNECT_ONLY`).
///
/// Such a handle stays in its multi handle as long as its connection is used, on the thread of that handle.
#pragma once

#include "CLibcurlCalls.h"

/// `curl_waitfd`.
typedef struct LCWatch {
    int descriptor;
    /// What to wait for: `LC_WATCH_IN`, `LC_WATCH_OUT` or both.
    short wanted;
    /// What is possible now.
    short ready;
} LCWatch;

enum {
    LC_WATCH_IN = 1,
    LC_WATCH_OUT = 4,
};

/// Sleeps until a watched descriptor or a socket of libcurl is ready, a timer of libcurl is due, or it is woken.
int lc_multi_watch(LCMulti *multi, LCWatch *watches, unsigned int count, int milliseconds);
/// Ends the current sleep, or the next one. Can be called from any thread. Fails if the handle was made without the
/// descriptors for it.
int lc_multi_wake(LCMulti *multi);

/// The descriptor of the handle's connection; -1 if it has none.
int lc_easy_socket(LCEasy *easy);
/// Sends bytes. Returns `LC_CODE_AGAIN` if none can be sent now; then call it again with the same bytes.
int lc_easy_send(LCEasy *easy, const void *bytes, size_t count, size_t *sent);
/// Receives bytes. None without an error means that the other end has finished.
int lc_easy_receive(LCEasy *easy, void *bytes, size_t capacity, size_t *received);
