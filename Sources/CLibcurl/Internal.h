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
void lc_easy_attach(LCEasy *easy, int (*open)(void *, int, void *), int (*close)(void *, int), void *context);
/// Sleeps until the descriptor can be read, a socket of the handle is ready, or its timer is due.
int lc_multi_wait(LCMulti *multi, int descriptor, int milliseconds);
int lc_multi_socket_action(LCMulti *multi, int socket, int events, int *running);
