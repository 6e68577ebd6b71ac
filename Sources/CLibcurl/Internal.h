/// The functions of libcurl that only the loop uses.
#pragma once

#include "CLibcurlLoop.h"
#include "CLibcurlRefusals.h"
#include <stdbool.h>

/// The kind of the message, the text, which does not end with a NUL, and its length.
typedef int (*LCDebugCallback)(LCEasy *easy, int kind, char *text, size_t length, void *context);

int lc_set_debug_callback(LCEasy *easy, int option, LCDebugCallback value);
/// The first of a loop's listeners.
LCListener **lc_loop_listeners(LCLoop *loop);
/// The last stream of a connection that its server processes; null if the connection is not open.
uint32_t *lc_loop_last_stream(LCLoop *loop, LCConnection connection);

/// Makes a multi handle report its sockets and its timer.
void lc_multi_attach(LCMulti *multi, int (*socket)(LCEasy *, int, int, void *, void *),
                     int (*timer)(LCMulti *, long, void *), void *context);
/// Makes an easy handle open and close its sockets through these functions.
void lc_easy_attach(LCEasy *easy, int (*open)(void *, int, void *), void *opener, int (*close)(void *, int),
                    void *closer);
/// Sleeps until the descriptor can be read, a socket of the handle is ready, or its timer is due.
int lc_multi_wait(LCMulti *multi, int descriptor, int milliseconds);
int lc_multi_socket_action(LCMulti *multi, int socket, int events, int *running);

/// Limits the connections that a multi handle keeps.
///
/// libcurl counts those in use, too (`CURLMOPT_MAXCONNECTS`): a fixed limit would have it close a connection after each
/// of many transfers. So the limit is that of the idle ones and the most transfers that ran lately. What is above it
/// afterwards is closed, as libcurl itself closes connections only when a transfer ends.
typedef struct LCPool {
    LCMulti *multi;
    /// The number of idle connections to keep.
    long idle;
    /// The transfers that run, the most of them since the last look and before it, and those that the limit has room for.
    int running;
    int recent;
    int last;
    int most;
    /// The time of the next look, in milliseconds of the monotonic clock.
    int64_t settles;
} LCPool;

void lc_pool_set(LCPool *pool, long idle);
/// Lets libcurl act on the events of a socket, or on its timers. Returns libcurl's code.
int lc_pool_act(LCPool *pool, int socket, int events);
/// Lowers the limit if it is time, and closes some of the idle connections above it.
///
/// `open` is the number of open sockets, which changes meanwhile, and `own` the number of those of the multi handle.
/// Returns whether libcurl has acted on its timers.
bool lc_pool_settle(LCPool *pool, const int *open, int own, int64_t now);
