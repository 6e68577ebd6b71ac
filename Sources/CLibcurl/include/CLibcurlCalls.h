/// libcurl's functions. Call them only after `lc_load` has succeeded.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct LCEasy LCEasy;
typedef struct LCMulti LCMulti;

/// A line of a list. libcurl does not copy lists of headers, and reads them as long as a transfer runs.
typedef struct LCLine {
    const char *text;
    struct LCLine *next;
} LCLine;

/// Bytes in memory.
typedef struct LCBlob {
    const void *bytes;
    size_t count;
    /// 1 to copy the bytes.
    unsigned int flags;
} LCBlob;

typedef size_t (*LCDataCallback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*LCSeekCallback)(void *context, int64_t offset, int origin);
typedef int (*LCPrereqCallback)(void *context, char *remote, char *local, int remotePort, int localPort);

/// Fills the list of fields after a request's body. libcurl releases the list.
typedef int (*LCTrailerCallback)(LCLine **list, void *context);

typedef enum LCLoading {
    LC_LOADED,
    /// libcurl is not installed.
    LC_ABSENT,
    /// libcurl is older than 7.68.
    LC_TOO_OLD,
    /// A function is missing, or the initialization failed.
    LC_UNUSABLE,
} LCLoading;

/// Finds libcurl: the loaded one, otherwise `libcurl.so.4`. Later calls return the same result.
LCLoading lc_load(void);
/// The version as text; empty without libcurl.
const char *lc_version(void);
/// The version as 0xXXYYZZ; 0 without libcurl.
unsigned int lc_version_number(void);
int lc_features(void);
/// The TLS library, such as "OpenSSL/3.0.19"; empty without TLS.
const char *lc_tls_library(void);
const char *lc_error_text(int code);

LCEasy *lc_easy_create(void);
void lc_easy_destroy(LCEasy *easy);
int lc_easy_pause(LCEasy *easy, int flags);

int lc_set_number(LCEasy *easy, int option, long value);
int lc_set_large(LCEasy *easy, int option, int64_t value);
int lc_set_text(LCEasy *easy, int option, const char *value);
int lc_set_pointer(LCEasy *easy, int option, const void *value);
int lc_set_blob(LCEasy *easy, int option, const LCBlob *value);
int lc_set_data_callback(LCEasy *easy, int option, LCDataCallback value);
int lc_set_seek_callback(LCEasy *easy, int option, LCSeekCallback value);
int lc_set_prereq_callback(LCEasy *easy, int option, LCPrereqCallback value);
int lc_set_trailer_callback(LCEasy *easy, LCTrailerCallback value);
/// Appends copies of lines, each terminated by a NUL, to a list that libcurl releases.
///
/// Returns whether there was enough memory for all of them.
bool lc_list_append(LCLine **list, const char *lines, size_t count);

long lc_number(LCEasy *easy, int info);
int64_t lc_large(LCEasy *easy, int info);
/// A text that belongs to the handle; may be null.
const char *lc_text(LCEasy *easy, int info);

/// The certificate of the server that the handle has connected to, as PEM; null without `LC_OPT_CERTINFO`.
const char *lc_server_certificate(LCEasy *easy);
/// The value of `LC_OPT_PRIVATE`.
void *lc_private(LCEasy *easy);

LCMulti *lc_multi_create(void);
void lc_multi_destroy(LCMulti *multi);
int lc_multi_set_number(LCMulti *multi, int option, long value);
int lc_multi_add(LCMulti *multi, LCEasy *easy);
int lc_multi_remove(LCMulti *multi, LCEasy *easy);
int lc_multi_perform(LCMulti *multi, int *running);
/// Sleeps until a socket is ready, a timer of libcurl is due, or another thread wakes it.
int lc_multi_poll(LCMulti *multi, int milliseconds);
/// The next transfer that has ended, with its code; null if there is none.
LCEasy *lc_multi_ended(LCMulti *multi, int *code);
/// Begins the handshake of a handle with no one, so that its certificates and keys are loaded.
///
/// Returns libcurl's code if that fails, otherwise 0. Nothing leaves the process. The handle must not be used again.
int lc_rehearse(LCEasy *easy);
