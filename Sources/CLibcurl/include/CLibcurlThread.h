/// A thread that can be joined, unlike Foundation's.
#pragma once

typedef struct LCThread {
    unsigned long identity;
} LCThread;

/// Starts the thread with every signal blocked. Returns 0 or the error of the system.
int lc_thread_start(LCThread *thread, void (*body)(void *context), void *context);
/// Whether the current thread was started here.
int lc_thread_is_ours(void);
void lc_thread_join(LCThread thread);
void lc_thread_detach(LCThread thread);
/// The number of processors that the process may use at the same time: those that its threads may run on, within the
/// quota of its control group. Foundation's count costs the first call of a process a millisecond.
int lc_processors(void);
/// The whole processors of a quota, whose period is in a text of its own (version 1 of control groups) or behind it
/// (version 2); 0 if there is no quota.
int lc_processors_of_quota(const char *quota, const char *period);
/// Suspends the current thread for this number of milliseconds.
void lc_thread_pause(int milliseconds);

/// What was known about SIGPIPE on a thread of the program.
typedef struct LCPipeGuard {
    int wasPending;
    int wasBlocked;
} LCPipeGuard;

/// Keeps SIGPIPE from the current thread, since TLS libraries raise it by writing to closed sockets.
LCPipeGuard lc_pipe_guard_begin(void);
/// Takes a SIGPIPE that was raised meanwhile, and restores the thread.
void lc_pipe_guard_end(LCPipeGuard guard);
