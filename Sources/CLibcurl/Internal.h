/// The functions of libcurl that only the loop uses.
#pragma once

#include "CLibcurlCalls.h"
#include <stdbool.h>

/// Makes a multi handle report its sockets and its timer.
void lc_multi_attach(LCMulti *multi, int (*socket)(LCEasy *, int, int, void *, void *),
                     int (*timer)(LCMulti *, long, void *), void *context);
/// Makes an easy handle open and close its sockets through these functions.
void lc_easy_attach(LCEasy *easy, int (*open)(void *, int, void *), int (*close)(void *, int), void *context);
int lc_multi_socket_action(LCMulti *multi, int socket, int events, int *running);
