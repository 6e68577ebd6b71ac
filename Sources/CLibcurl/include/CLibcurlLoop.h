/// The part of an event loop that is all system calls: libcurl's sockets in an epoll set, and a descriptor that wakes it.
#pragma once

#include "CLibcurlCalls.h"

typedef struct LCLoop LCLoop;

/// The two multi handles of a loop.
///
/// Where connections of both versions to one host meet in a multi handle, libcurl 7.88 puts a second request on an
/// HTTP/1.1 connection that is in use. With two handles they do not meet.
typedef enum LCMultiKind {
    /// For exchanges that offer HTTP/2.
    LC_MULTI_SHARING,
    /// For exchanges by HTTP/1.1, one at a time on each connection.
    LC_MULTI_SERIAL,
    LC_MULTI_KINDS,
} LCMultiKind;

/// Makes a loop around new multi handles; null when descriptors or memory are short, and on other systems than Linux.
LCLoop *lc_loop_create(void);
/// Frees the loop. Every transfer was removed before.
void lc_loop_destroy(LCLoop *loop);
LCMulti *lc_loop_multi(LCLoop *loop, LCMultiKind kind);
/// Ends the sleep that is under way, or the next one. From any thread.
void lc_loop_wake(LCLoop *loop);
/// Makes a handle open and close its sockets through the loop.
void lc_loop_attach(LCLoop *loop, LCEasy *easy);

/// Lets libcurl do its work; before that sleeps until there is some, for so many milliseconds at most.
///
/// Returns 0, or a code after which the loop is of no use.
int lc_loop_step(LCLoop *loop, int longest);
/// Takes one of the handles whose sockets had events in the last step that libcurl did not wait for; null when there is
/// none. Only to be compared: the handle may have been freed.
LCEasy *lc_loop_take_unheard(LCLoop *loop);
/// Takes the number of one of the exchanges whose bytes the last step has received or made room for; -1 when there is none.
///
/// Only those are known that have a connection of their own: on a shared one the bytes may be another's.
int lc_loop_take_active(LCLoop *loop);

/// A connection of a loop.
typedef struct LCConnection {
    int descriptor;
    /// 0 for a connection that is not known.
    uint64_t serial;
    /// Counts how often the connection went from one exchange to the next before the first was counted out.
    uint64_t epoch;
} LCConnection;

/// Whether a request can be sent on a connection.
typedef enum LCEntry {
    LC_ENTER_READY,
    /// Another exchange has the connection, and it carries one at a time.
    LC_ENTER_BUSY,
    /// The server has sent bytes on the idle connection, or has closed it.
    LC_ENTER_STALE,
} LCEntry;

/// The version of HTTP that a connection was seen to speak.
typedef enum LCVersion { LC_VERSION_UNKNOWN, LC_VERSION_1, LC_VERSION_2 } LCVersion;

/// Finds the open connection between two addresses. A connection over a Unix-domain socket is not known.
LCConnection lc_loop_connection(LCLoop *loop, const char *local, int localPort, const char *remote, int remotePort);
/// Counts an exchange in, by whatever number it is known, unless the connection cannot take its request.
LCEntry lc_loop_enter(LCLoop *loop, LCConnection *connection, int number);
/// Counts an exchange out.
void lc_loop_leave(LCLoop *loop, LCConnection connection);
/// Notes that an exchange pauses.
void lc_loop_note_pause(LCLoop *loop, LCConnection connection);
/// Notes the version of a response.
///
/// Returns 0 when the response may belong to another exchange: HTTP/1.1 on a connection that several had at a time.
int lc_loop_note_version(LCLoop *loop, LCConnection connection, LCVersion version);
/// How many bytes were sent on a connection that the peer has not acknowledged; -1 where that is not known, or
/// another exchange shares the connection.
int lc_loop_unacknowledged(LCLoop *loop, LCConnection connection);
