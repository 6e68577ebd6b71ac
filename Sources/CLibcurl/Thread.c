#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "CLibcurlThread.h"
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

static_assert(sizeof(pthread_t) <= sizeof(unsigned long), "a thread's name fits");

typedef struct Work {
    void (*body)(void *context);
    void *context;
} Work;

static _Thread_local int is_ours;

static void *run(void *pointer) {
    is_ours = 1;
    Work work = *(Work *)pointer;
    free(pointer);
#ifdef __linux__
    // Without a name of its own a thread has that of the one that started it.
    pthread_setname_np(pthread_self(), "NetworkEngine");
#endif
    work.body(work.context);
    return 0;
}

int lc_thread_start(LCThread *thread, void (*body)(void *context), void *context) {
    Work *work = malloc(sizeof *work);
    if (!work) return 12;
    *work = (Work){body, context};
    // Blocks signals, which are for the threads of the program. TLS libraries raise SIGPIPE by writing to closed
    // sockets.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t started;
    int failure = pthread_create(&started, 0, run, work);
    pthread_sigmask(SIG_SETMASK, &before, 0);
    if (failure) {
        free(work);
        return failure;
    }
    thread->identity = (unsigned long)started;
    return 0;
}

LCPipeGuard lc_pipe_guard_begin(void) {
    LCPipeGuard guard = {0, 0};
#ifdef __linux__
    sigset_t pipe, before, pending;
    sigpending(&pending);
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    guard.wasPending = sigismember(&pending, SIGPIPE);
    guard.wasBlocked = sigismember(&before, SIGPIPE);
#endif
    return guard;
}

void lc_pipe_guard_end(LCPipeGuard guard) {
#ifdef __linux__
    sigset_t pipe, pending;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigpending(&pending);
    const struct timespec none = {0, 0};
    if (!guard.wasPending && sigismember(&pending, SIGPIPE)) sigtimedwait(&pipe, 0, &none);
    if (!guard.wasBlocked) pthread_sigmask(SIG_UNBLOCK, &pipe, 0);
#else
    (void)guard;
#endif
}

int lc_thread_is_ours(void) { return is_ours; }
void lc_thread_join(LCThread thread) { pthread_join((pthread_t)thread.identity, 0); }
void lc_thread_detach(LCThread thread) { pthread_detach((pthread_t)thread.identity); }

void lc_thread_pause(int milliseconds) {
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    nanosleep(&time, 0);
}
