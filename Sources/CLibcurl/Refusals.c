#include "CLibcurlNumbers.h"
#include "Internal.h"
#include <stdlib.h>
#include <string.h>

struct LCListener {
    LCListener *next;
    LCListener **link;
    LCLoop *loop;
    /// The connection of the current sending; its serial is 0 if there is none.
    LCConnection connection;
    /// The stream of the current sending; 0 before it is known.
    uint32_t stream;
    bool wasRefused;
    /// Whether libcurl has given a reason to send the request again.
    bool hasReason;
    /// Whether its next reason may be about an earlier sending.
    bool mayBeStale;
    /// Whether the response has ended, and libcurl was about to send more of the request.
    bool hasEnded;
    /// Whether the next field is the first one.
    bool expectsField;
};

LCListener *lc_listener_create(LCLoop *loop) {
    LCListener *it = calloc(1, sizeof *it);
    if (!it) return 0;
    it->loop = loop;
    it->link = lc_loop_listeners(loop);
    it->next = *it->link;
    if (it->next) it->next->link = &it->next;
    *it->link = it;
    return it;
}

void lc_listener_destroy(LCListener *it) {
    if (!it) return;
    *it->link = it->next;
    if (it->next) it->next->link = it->link;
    free(it);
}

void lc_listener_begin(LCListener *it, LCConnection connection) {
    if (!it) return;
    it->connection = connection;
    it->stream = 0;
    it->mayBeStale = it->mayBeStale || (it->wasRefused && !it->hasReason);
    it->hasReason = false;
    it->wasRefused = false;
    it->hasEnded = false;
    it->expectsField = false;
}

void lc_listener_guard_field(LCListener *it, bool isExpected) {
    if (it) it->expectsField = isExpected;
}

int lc_listener_was_refused(const LCListener *it) { return it && it->wasRefused; }
int lc_listener_has_ended(const LCListener *it) { return it && it->hasEnded; }

/// Notes that a server processes no stream after the last one. A later announcement names the same stream or an earlier
/// one.
static void note_last(LCListener *it, uint32_t last) {
    uint32_t *known = lc_loop_last_stream(it->loop, it->connection);
    if (!known) return;
    if (last < *known) *known = last;
    for (LCListener *other = *lc_loop_listeners(it->loop); other; other = other->next) {
        if (other->connection.serial == it->connection.serial && other->stream > *known) other->wasRefused = true;
    }
}

/// Notes the stream of a request. It may begin after the announcement.
static void note_stream(LCListener *it, uint32_t stream) {
    const uint32_t *last = lc_loop_last_stream(it->loop, it->connection);
    it->stream = stream;
    if (last && stream > *last) it->wasRefused = true;
}

// MARK: libcurl's messages

typedef struct Text {
    const char *start;
    size_t length;
} Text;

/// Removes the beginning of a text.
static bool skip(Text *text, const char *start) {
    size_t count = strlen(start);
    if (text->length < count || memcmp(text->start, start, count) != 0) return false;
    *text = (Text){text->start + count, text->length - count};
    return true;
}

/// Removes the decimal number at the beginning of a text. Versions before 7.87 write hexadecimal digits, which are read
/// as a smaller number: then a refusal may be missed, but none is invented.
static bool skip_number(Text *text, uint32_t *number) {
    size_t count = 0;
    *number = 0;
    while (count < text->length && count < 9 && text->start[count] >= '0' && text->start[count] <= '9') {
        *number = *number * 10 + (uint32_t)(text->start[count++] - '0');
    }
    *text = (Text){text->start + count, text->length - count};
    return count > 0;
}

static bool tells_of_stream(Text text, uint32_t *stream) {
    if (skip(&text, "Using Stream ID: ")) return skip_number(&text, stream);
    return skip(&text, "[HTTP/2] [") && skip_number(&text, stream) && skip(&text, "] OPENED stream");
}

static bool tells_of_last(Text text, uint32_t *last) {
    uint32_t code;
    if (!skip(&text, "recveived GOAWAY, error=") && !skip(&text, "received GOAWAY, error=")) return false;
    return skip_number(&text, &code) && skip(&text, ", last_stream=") && skip_number(&text, last);
}

/// In newer versions, for each refused stream.
static bool tells_of_refusal(Text text) {
    uint32_t stream;
    bool isAboutStream = skip(&text, "HTTP/2 stream ") || skip(&text, "HTTP/3 stream ");
    return isAboutStream && skip_number(&text, &stream) && skip(&text, " refused by server");
}

/// The reason for which libcurl sends a request again that it has sent on a new connection. It may be about an earlier
/// sending: libcurl forgets a refusal on a used connection only with the next reason.
static bool tells_of_retry(Text text) { return skip(&text, "REFUSED_STREAM"); }

static bool tells_of_end(Text text) {
    uint32_t stream;
    return skip(&text, "stream ") && skip_number(&text, &stream) && skip(&text, " closed");
}

/// Whether libcurl leaves a connection to send a request again. What it then reports is about other connections.
static bool tells_of_leaving(Text text) { return skip(&text, "Connection died") || skip(&text, "Downgrades to"); }

/// Receives libcurl's debug messages, and all data in both directions.
static int heard(LCEasy *easy, int kind, char *start, size_t length, void *context) {
    const int remark = 0, received_line = 1;
    LCListener *it = context;
    Text text = {start, length};
    uint32_t number;
    (void)easy;
    if (kind == received_line && it->expectsField && length > 0 && (*start == ' ' || *start == '\t')) *start = 0;
    if (kind != remark) return 0;
    if (tells_of_refusal(text)) {
        it->wasRefused = true;
    } else if (tells_of_retry(text)) {
        it->wasRefused = it->wasRefused || !it->mayBeStale;
        it->hasReason = true;
        it->mayBeStale = false;
    } else if (tells_of_stream(text, &number)) {
        note_stream(it, number);
    } else if (tells_of_last(text, &number)) {
        note_last(it, number);
    } else if (tells_of_end(text)) {
        it->hasEnded = true;
    } else if (tells_of_leaving(text)) {
        it->connection.serial = 0;
    }
    return 0;
}

int lc_listener_attach(LCListener *it, LCEasy *easy) {
    if (!it) return 0;
    it->mayBeStale = false;
    int fault = lc_set_debug_callback(easy, LC_OPT_DEBUGFUNCTION, heard);
    return fault == 0 ? lc_set_pointer(easy, LC_OPT_DEBUGDATA, it) : fault;
}
