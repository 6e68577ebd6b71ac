/// What the loop needs of libcurl and nobody else does.
#pragma once

#include "CLibcurlCalls.h"
#include <stdbool.h>

/// Has a multi handle tell of its sockets and its timer.
void lc_multi_attach(LCMulti *multi, int (*socket)(LCEasy *, int, int, void *, void *),
                     int (*timer)(LCMulti *, long, void *), void *context);
/// Has an easy handle open and close its sockets this way.
void lc_easy_attach(LCEasy *easy, int (*open)(void *, int, void *), int (*close)(void *, int), void *context);
int lc_multi_socket_action(LCMulti *multi, int socket, int events, int *running);
