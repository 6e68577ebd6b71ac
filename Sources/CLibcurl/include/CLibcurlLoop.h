/// The part of an event loop that is all system calls: libcurl's sockets in an epoll set, and a descriptor that wakes it.
#pragma once

#include "CLibcurlCalls.h"

typedef struct LCLoop LCLoop;

/// Makes a loop around a new multi handle; null when descriptors or memory are short, and on other systems than Linux.
LCLoop *lc_loop_create(void);
/// Frees it; every transfer was removed before.
void lc_loop_destroy(LCLoop *loop);
LCMulti *lc_loop_multi(LCLoop *loop);
/// Ends the sleep that is under way, or the next one. From any thread.
void lc_loop_wake(LCLoop *loop);
/// Has a handle tell the loop of the sockets that are opened for it.
void lc_loop_attach(LCLoop *loop, LCEasy *easy);

/// Lets libcurl do what there is to do now; sleeps before that until there is something, so many milliseconds at most.
///
/// Returns 0, or a code after which the loop is of no use.
int lc_loop_step(LCLoop *loop, int longest);
/// One of the handles whose sockets had something to say in the last step that libcurl did not want to hear, each once;
/// null when there is none. Only to be compared: the handle may be gone.
LCEasy *lc_loop_take_unheard(LCLoop *loop);
