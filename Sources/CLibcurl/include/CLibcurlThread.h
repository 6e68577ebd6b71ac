/// A thread that can be joined, which Foundation's cannot.
#pragma once

typedef struct LCThread {
    unsigned long identity;
} LCThread;

/// Starts it with every signal blocked. Returns 0 or the error of the system.
int lc_thread_start(LCThread *thread, void (*body)(void *context), void *context);
int lc_thread_is_current(LCThread thread);
void lc_thread_join(LCThread thread);
void lc_thread_detach(LCThread thread);
/// Has the current thread sleep for so many milliseconds.
void lc_thread_pause(int milliseconds);
