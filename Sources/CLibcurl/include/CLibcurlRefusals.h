/// The requests that a server has refused without processing any part of them.
///
/// A server that replaces an HTTP/2 connection names the last stream that it processes (GOAWAY, RFC 9113, 6.8). libcurl
/// sends the requests of later streams again, and older versions do not report why. A listener reads libcurl's debug
/// messages: the number of a request's stream, and the last stream of its connection.
#pragma once

#include "CLibcurlLoop.h"

typedef struct LCListener LCListener;

/// Makes a listener for one handle at a time; null if there is not enough memory.
LCListener *lc_listener_create(LCLoop *loop);
/// Frees a listener before its loop is destroyed.
void lc_listener_destroy(LCListener *listener);
/// Makes a new handle report to a listener, while its option `LC_OPT_VERBOSE` is set.
int lc_listener_attach(LCListener *listener, LCEasy *easy);
/// Begins a sending over a connection, which may be unknown. What happened before counts no more.
void lc_listener_begin(LCListener *listener, LCConnection connection);
/// Begins or ends to refuse folded lines in a head: they must not be its first fields. It needs `LC_OPT_VERBOSE`.
///
/// libcurl 7.88 would add them to the last field of the response before, which it has freed. It gets an empty line in
/// their place, which it reports as an error.
void lc_listener_guard_field(LCListener *listener, bool isExpected);
/// Whether the server has processed nothing of the request, as far as reported.
int lc_listener_was_refused(const LCListener *listener);
/// Whether the response has ended without an error, although the request was not sent completely. libcurl 7.88
/// reports an error then.
int lc_listener_has_ended(const LCListener *listener);
