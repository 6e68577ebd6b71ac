/// The system calls of an event loop: libcurl's sockets in an epoll set, and a descriptor that wakes it.
#pragma once

#include "CLibcurlCalls.h"
#include <stdbool.h>

typedef struct LCLoop LCLoop;

/// The two multi handles of a loop.
///
/// If a multi handle has connections of both HTTP versions to one host, libcurl 7.88 can send a second request on an
/// HTTP/1.1 connection that is in use. Two handles keep these connections apart.
typedef enum LCMultiKind {
    /// For exchanges that offer HTTP/2.
    LC_MULTI_SHARING,
    /// For exchanges over HTTP/1.1, one at a time on each connection.
    LC_MULTI_SERIAL,
    LC_MULTI_KINDS,
} LCMultiKind;

/// Makes a loop with new multi handles; null if descriptors or memory run out, and on other systems than Linux.
LCLoop *lc_loop_create(void);
/// Frees the loop. All transfers must be removed before.
void lc_loop_destroy(LCLoop *loop);
LCMulti *lc_loop_multi(LCLoop *loop, LCMultiKind kind);
/// Ends the current sleep, or the next one. Can be called from any thread.
void lc_loop_wake(LCLoop *loop);
/// Whether the process or the system has no more descriptors.
bool lc_lacks_descriptors(void);
/// Sets the number of idle connections that the loop keeps for the exchanges of each kind.
void lc_loop_keep(LCLoop *loop, long idle);
/// Makes the connections that begin in the next step take the places of idle ones.
///
/// Returns whether there is an idle one.
bool lc_loop_give_way(LCLoop *loop, LCMultiKind kind);
/// The number of descriptors that the process may have.
long lc_descriptor_limit(void);

/// Opens the sockets of a handle.
typedef struct LCOpener {
    /// The loop that the handle belongs to; null for none.
    LCLoop *loop;
    /// Whether a socket was refused because the process or the system has no more descriptors.
    bool isRefused;
    /// Whether the last socket took the last descriptor, so that no file can be opened for it.
    bool isLast;
} LCOpener;

/// Makes a handle open its sockets through an opener, which must live as long.
void lc_opener_attach(LCOpener *opener, LCEasy *easy);

/// Sleeps until there is work, for at most this number of milliseconds, and lets libcurl do it.
///
/// Returns 0, or a code after which the loop is unusable.
int lc_loop_step(LCLoop *loop, int longest);
/// Takes one of the handles with socket events in the last step that libcurl did not wait for; null if there is none.
/// Use it only for comparison: the handle may have been freed.
LCEasy *lc_loop_take_unheard(LCLoop *loop);
/// Takes the number of an exchange that received bytes in the last step, or has room to send; -1 if there is none.
///
/// Only exchanges with their own connection are included: on a shared one the bytes may belong to another exchange.
int lc_loop_take_active(LCLoop *loop);

/// A connection of a loop.
typedef struct LCConnection {
    int descriptor;
    /// 0 for an unknown connection; greater for a newer one.
    uint64_t serial;
    /// The number of times that the next exchange started on the connection before the previous one was unregistered.
    uint64_t epoch;
} LCConnection;

/// Whether a request can be sent on a connection.
typedef enum LCEntry {
    LC_ENTER_READY,
    /// Another exchange uses the connection, and it carries one at a time.
    LC_ENTER_BUSY,
    /// The server has sent bytes on the idle connection, or has closed it.
    LC_ENTER_STALE,
} LCEntry;

/// The HTTP version of a connection, as observed.
typedef enum LCVersion { LC_VERSION_UNKNOWN, LC_VERSION_1, LC_VERSION_2 } LCVersion;

/// The number of the newest connection.
uint64_t lc_loop_newest(LCLoop *loop);
/// Finds the open connection between two addresses. Connections over a Unix-domain socket are not found.
LCConnection lc_loop_connection(LCLoop *loop, const char *local, int localPort, const char *remote, int remotePort);
/// Registers an exchange by a number, unless the connection cannot take its request.
LCEntry lc_loop_enter(LCLoop *loop, LCConnection *connection, int number);
/// Unregisters an exchange.
void lc_loop_leave(LCLoop *loop, LCConnection connection);
/// Records that an exchange pauses.
void lc_loop_note_pause(LCLoop *loop, LCConnection connection);
/// Makes libcurl look at a connection as after an event. Returns libcurl's code, 0 for success.
int lc_loop_touch(LCLoop *loop, LCConnection connection);
/// Whether libcurl waits for no more bytes on a connection that is open, and no exchange on it has paused.
bool lc_loop_is_at_rest(LCLoop *loop, LCConnection connection);
/// Records the version of a response.
///
/// Returns 0 if the response may belong to another exchange: HTTP/1.1 on a connection that several exchanges used at a
/// time.
int lc_loop_note_version(LCLoop *loop, LCConnection connection, LCVersion version);
/// The number of sent bytes that the peer has not acknowledged; -1 if unknown, or if another exchange shares the
/// connection.
int lc_loop_unacknowledged(LCLoop *loop, LCConnection connection);
