#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "CLibcurlLoop.h"
#include "CLibcurlNumbers.h"
#include "Internal.h"

#ifdef __linux__

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <linux/sockios.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/// The events of a socket that libcurl requests and receives.
enum { wants_input = 1, wants_output = 2, wants_nothing_more = 4 };
enum { has_input = 1, has_output = 2, has_error = 4 };
enum { no_socket = -1 };

/// `curl_sockaddr`.
typedef struct Address {
    int family;
    int type;
    int protocol;
    unsigned int length;
    struct sockaddr address;
} Address;

/// One end of a connection.
typedef struct End {
    unsigned char address[16];
    int port;
} End;

/// A descriptor of the epoll set.
typedef struct Watch {
    uint32_t events;
    bool isRegistered;
    /// Whether libcurl waits for events.
    bool isWanted;
    /// Whether libcurl opens and closes the descriptor through this loop. Other descriptors can be reused without
    /// notice.
    bool isOwn;
    /// Whether the ends are filled in.
    bool isConnected;
    bool isUnixDomain;
    /// The multi handle that the descriptor belongs to.
    LCMultiKind kind;
    /// The handle that libcurl last waited for. Use it only for comparison: it may have been freed.
    LCEasy *easy;
    /// Greater for a later wait.
    uint64_t wish;
    /// The connection's number; 0 for a descriptor that is not a connection.
    uint64_t serial;
    End local;
    End remote;
    /// The number of exchanges that the connection has carried, and the number that it carries now in this epoch.
    uint64_t uses;
    int users;
    /// The number of the latest exchange.
    int latest;
    uint64_t epoch;
    /// Whether an exchange has paused, so that libcurl may wait for no event before the exchange has ended.
    bool isPaused;
    LCVersion version;
    /// The last stream of an HTTP/2 connection that the server processes, as far as announced.
    uint32_t lastStream;
    /// Whether an HTTP/1.1 connection has carried several exchanges at a time.
    bool isMixedUp;
} Watch;

enum { most_events = 256, ports_kept = 512 };

/// A multi handle and its timer.
typedef struct Multi {
    LCMulti *handle;
    LCLoop *loop;
    LCMultiKind kind;
    /// The time to call libcurl without an event, in milliseconds of the monotonic clock; -1 for never.
    int64_t due;
    /// Whether new connections take the places of idle ones.
    bool givesWay;
    LCPool pool;
} Multi;

struct LCLoop {
    Multi multis[LC_MULTI_KINDS];
    int epoll;
    int wake;
    Watch *watches;
    int count;
    /// The handles with socket events in the last step that libcurl did not wait for.
    LCEasy *unheard[most_events];
    int unheardCount;
    /// The exchanges with their own connection that had events in the last step.
    int active[most_events];
    int activeCount;
    LCListener *listeners;
    /// The descriptor that a local port was last found at, by the lowest bits of the port.
    int found[ports_kept];
    uint64_t wishes;
    uint64_t connections;
    /// The number of open sockets.
    int open;
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/// The watch of a descriptor; null if there is not enough memory.
static Watch *watch(LCLoop *loop, int descriptor) {
    if (descriptor < 0) return 0;
    if (descriptor >= loop->count) {
        int count = descriptor * 2 + 64;
        Watch *grown = realloc(loop->watches, (size_t)count * sizeof *grown);
        if (!grown) return 0;
        memset(grown + loop->count, 0, (size_t)(count - loop->count) * sizeof *grown);
        loop->watches = grown;
        loop->count = count;
    }
    return loop->watches + descriptor;
}

static void forget(LCLoop *loop, int descriptor, Watch *watch) {
    if (watch->isRegistered) epoll_ctl(loop->epoll, EPOLL_CTL_DEL, descriptor, 0);
    watch->isRegistered = false;
}

static int socket_changed(LCEasy *easy, int descriptor, int wish, void *context, void *socket_context) {
    (void)socket_context;
    Multi *multi = context;
    LCLoop *loop = multi->loop;
    Watch *it = watch(loop, descriptor);
    if (!it) return -1;
    it->kind = multi->kind;
    it->isWanted = wish != wants_nothing_more;
    if (it->isWanted) {
        it->easy = easy;
        it->wish = ++loop->wishes;
        it->isPaused = false;
    }
    if (!it->isWanted) {
        // The next request on the connection needs the same events: keeping the descriptor saves two system calls for
        // each.
        if (!it->isOwn) forget(loop, descriptor, it);
        return 0;
    }
    struct epoll_event event = {.data.fd = descriptor};
    if (wish & wants_input) event.events |= EPOLLIN;
    if (wish & wants_output) event.events |= EPOLLOUT;
    if (it->isRegistered && it->events == event.events) return 0;
    int failed = epoll_ctl(loop->epoll, it->isRegistered ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event);
    if (failed && errno == ENOENT) failed = epoll_ctl(loop->epoll, EPOLL_CTL_ADD, descriptor, &event);
    if (failed && errno == EEXIST) failed = epoll_ctl(loop->epoll, EPOLL_CTL_MOD, descriptor, &event);
    it->isRegistered = !failed;
    it->events = event.events;
    return failed ? -1 : 0;
}

static int timer_changed(LCMulti *handle, long milliseconds, void *context) {
    (void)handle;
    Multi *multi = context;
    multi->due = milliseconds < 0 ? -1 : now() + milliseconds;
    return 0;
}

static bool is_lack(int fault) { return fault == EMFILE || fault == ENFILE; }

bool lc_lacks_descriptors(void) {
    int descriptor = eventfd(0, EFD_CLOEXEC);
    if (descriptor < 0) return is_lack(errno);
    close(descriptor);
    return false;
}

long lc_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > INT32_MAX) return INT32_MAX;
    return (long)limit.rlim_cur;
}

static int open_socket(void *context, int purpose, void *where) {
    (void)purpose;
    const Address *address = where;
    LCOpener *opener = context;
    int descriptor = socket(address->family, address->type | SOCK_CLOEXEC, address->protocol);
    if (descriptor < 0) {
        opener->isRefused = opener->isRefused || is_lack(errno);
        return descriptor;
    }
    opener->isLast = lc_lacks_descriptors();
    LCLoop *loop = opener->loop;
    if (loop) loop->open += 1;
    Watch *it = loop ? watch(loop, descriptor) : 0;
    if (it) {
        *it = (Watch){.isOwn = true,
                      .isUnixDomain = address->family == AF_UNIX,
                      .serial = ++loop->connections,
                      .lastStream = UINT32_MAX};
    }
    return descriptor;
}

static int close_socket(void *context, int descriptor) {
    LCLoop *loop = context;
    loop->open -= 1;
    // The kernel removes a closed descriptor from the set.
    if (descriptor >= 0 && descriptor < loop->count) loop->watches[descriptor] = (Watch){0};
    return close(descriptor);
}

void lc_opener_attach(LCOpener *opener, LCEasy *easy) {
    LCLoop *loop = opener->loop;
    lc_easy_attach(easy, open_socket, opener, loop ? close_socket : 0, loop);
}

LCLoop *lc_loop_create(void) {
    LCLoop *loop = calloc(1, sizeof *loop);
    if (!loop) return 0;
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    loop->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = loop->wake};
    bool isComplete = loop->epoll >= 0 && loop->wake >= 0 &&
                      epoll_ctl(loop->epoll, EPOLL_CTL_ADD, loop->wake, &event) == 0;
    for (int kind = 0; kind < LC_MULTI_KINDS; kind++) {
        Multi *multi = loop->multis + kind;
        *multi = (Multi){.handle = lc_multi_create(), .loop = loop, .kind = (LCMultiKind)kind, .due = -1};
        multi->pool.multi = multi->handle;
        isComplete = isComplete && multi->handle;
        if (multi->handle) lc_multi_attach(multi->handle, socket_changed, timer_changed, multi);
    }
    if (isComplete) return loop;
    lc_loop_destroy(loop);
    return 0;
}

void lc_loop_destroy(LCLoop *loop) {
    for (int kind = 0; kind < LC_MULTI_KINDS; kind++) {
        if (loop->multis[kind].handle) lc_multi_destroy(loop->multis[kind].handle);
    }
    if (loop->epoll >= 0) close(loop->epoll);
    if (loop->wake >= 0) close(loop->wake);
    free(loop->watches);
    free(loop);
}

LCMulti *lc_loop_multi(LCLoop *loop, LCMultiKind kind) { return loop->multis[kind].handle; }

void lc_loop_wake(LCLoop *loop) {
    const uint64_t one = 1;
    // Fails only if the descriptor is readable already.
    ssize_t written = write(loop->wake, &one, sizeof one);
    (void)written;
}

void lc_loop_keep(LCLoop *loop, long idle) {
    for (int kind = 0; kind < LC_MULTI_KINDS; kind++) lc_pool_set(&loop->multis[kind].pool, idle);
}

uint64_t lc_loop_newest(LCLoop *loop) { return loop->connections; }

/// Closes idle connections above the limit. Returns the time until more may be closed, in milliseconds; -1 if there are
/// not so many connections.
static int64_t settle(Multi *multi, int64_t time) {
    LCLoop *loop = multi->loop;
    if (loop->open <= multi->pool.idle || multi->givesWay) return -1;
    if (time >= multi->pool.settles) {
        int own = 0;
        for (int descriptor = 0; descriptor < loop->count; descriptor++) {
            Watch *it = loop->watches + descriptor;
            if (it->serial && it->kind == multi->kind) own += 1;
        }
        // What libcurl has done meanwhile is handled before the loop sleeps.
        if (lc_pool_settle(&multi->pool, &loop->open, own, time)) return 0;
    }
    return multi->pool.settles - time;
}

bool lc_loop_give_way(LCLoop *loop, LCMultiKind kind) {
    for (int descriptor = 0; descriptor < loop->count; descriptor++) {
        Watch *it = loop->watches + descriptor;
        if (!it->serial || it->kind != kind || it->uses == 0 || it->users > 0) continue;
        // At its limit libcurl closes an idle connection before it opens another.
        const long fewest = 1;
        loop->multis[kind].givesWay = true;
        lc_multi_set_number(loop->multis[kind].handle, LC_MULTI_MAX_TOTAL_CONNECTIONS, fewest);
        return true;
    }
    return false;
}

/// Permits any number of connections again. Those that found no idle one wait until another has ended.
static void end_giving_way(Multi *multi) {
    const long any = 0;
    if (multi->givesWay) lc_multi_set_number(multi->handle, LC_MULTI_MAX_TOTAL_CONNECTIONS, any);
    multi->givesWay = false;
}

/// Whether a handle waited for no other socket after this one. A handle can move from connection to connection.
static bool is_latest(LCLoop *loop, Watch *watch) {
    for (int descriptor = 0; descriptor < loop->count; descriptor++) {
        Watch *other = loop->watches + descriptor;
        if (other->easy == watch->easy && other->wish > watch->wish) return false;
    }
    return true;
}

/// Makes a connection look closed by the server, so that libcurl does not reuse it. Received bytes are dropped.
static void hang_up(int descriptor) {
    char bytes[4096];
    for (int round = 0; round < 64 && recv(descriptor, bytes, sizeof bytes, MSG_DONTWAIT) > 0; round++) {}
    shutdown(descriptor, SHUT_RDWR);
}

/// Whether a connection carries one exchange at a time, as far as known.
static bool is_serial(const Watch *watch) {
    return watch->kind == LC_MULTI_SERIAL || watch->version == LC_VERSION_1;
}

static int take_event(LCLoop *loop, struct epoll_event event) {
    int descriptor = event.data.fd;
    if (descriptor == loop->wake) {
        uint64_t times;
        ssize_t taken = read(loop->wake, &times, sizeof times);
        (void)taken;
        return 0;
    }
    Watch *it = watch(loop, descriptor);
    if (!it) return 0;
    // libcurl has closed the descriptor since the events were fetched, and a null handle would end the list of handles.
    if (!it->easy) return 0;
    if (!it->isWanted) {
        // The server has closed the idle connection, or has sent unrequested bytes. The connection is checked again
        // before its next use. The server may also have closed a connection whose exchange waits for bytes to send,
        // which libcurl does not notice.
        if (loop->unheardCount < most_events && is_latest(loop, it)) loop->unheard[loop->unheardCount++] = it->easy;
        if (it->isUnixDomain && it->users == 0) hang_up(descriptor);
        forget(loop, descriptor, it);
        return 0;
    }
    if (it->users == 1 && is_serial(it)) loop->active[loop->activeCount++] = it->latest;
    int news = (event.events & EPOLLIN ? has_input : 0) | (event.events & EPOLLOUT ? has_output : 0) |
               (event.events & (EPOLLERR | EPOLLHUP) ? has_error | has_input : 0);
    return lc_pool_act(&loop->multis[it->kind].pool, descriptor, news);
}

int lc_loop_step(LCLoop *loop, int longest) {
    struct epoll_event events[most_events];
    int64_t wait = longest;
    loop->unheardCount = 0;
    loop->activeCount = 0;
    for (int kind = 0; kind < LC_MULTI_KINDS; kind++) {
        Multi *multi = loop->multis + kind;
        int64_t pause = settle(multi, now());
        if (pause >= 0 && pause < wait) wait = pause;
        if (multi->due < 0) continue;
        int64_t left = multi->due - now();
        if (left <= 0) {
            // New exchanges start here. Their results are read before the loop sleeps.
            multi->due = -1;
            int code = lc_pool_act(&multi->pool, no_socket, 0);
            end_giving_way(multi);
            if (code) return code;
            left = 0;
        }
        if (left < wait) wait = left;
    }
    int count = epoll_wait(loop->epoll, events, most_events, (int)wait);
    if (count < 0) return errno == EINTR ? 0 : -1;
    for (int index = 0; index < count; index++) {
        int code = take_event(loop, events[index]);
        if (code) return code;
    }
    return 0;
}

LCEasy *lc_loop_take_unheard(LCLoop *loop) {
    return loop->unheardCount > 0 ? loop->unheard[--loop->unheardCount] : 0;
}

int lc_loop_take_active(LCLoop *loop) { return loop->activeCount > 0 ? loop->active[--loop->activeCount] : -1; }

// MARK: Connections

static End end_of(const struct sockaddr_storage *address) {
    End end = {{0}, 0};
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in *it = (const struct sockaddr_in *)address;
        memcpy(end.address, &it->sin_addr, sizeof it->sin_addr);
        end.port = ntohs(it->sin_port);
    } else if (address->ss_family == AF_INET6) {
        const struct sockaddr_in6 *it = (const struct sockaddr_in6 *)address;
        memcpy(end.address, &it->sin6_addr, sizeof it->sin6_addr);
        end.port = ntohs(it->sin6_port);
    }
    return end;
}

static End end_from(const char *address, int port) {
    End end = {{0}, port};
    if (inet_pton(AF_INET, address, end.address) != 1) inet_pton(AF_INET6, address, end.address);
    return end;
}

static bool is_same(End one, End other) {
    return one.port == other.port && memcmp(one.address, other.address, sizeof one.address) == 0;
}

/// Reads the addresses of a connection, once.
static void look_up(int descriptor, Watch *watch) {
    struct sockaddr_storage local = {0}, remote = {0};
    socklen_t localLength = sizeof local, remoteLength = sizeof remote;
    if (getsockname(descriptor, (struct sockaddr *)&local, &localLength) != 0) return;
    if (getpeername(descriptor, (struct sockaddr *)&remote, &remoteLength) != 0) return;
    watch->local = end_of(&local);
    watch->remote = end_of(&remote);
    watch->isConnected = true;
}

/// Whether a descriptor is a connection between two addresses.
static bool joins(LCLoop *loop, int descriptor, End here, End there) {
    if (descriptor >= loop->count) return false;
    Watch *it = loop->watches + descriptor;
    if (!it->serial) return false;
    if (!it->isConnected) look_up(descriptor, it);
    return it->isConnected && is_same(it->local, here) && is_same(it->remote, there);
}

static LCConnection connection_at(LCLoop *loop, int descriptor) {
    Watch *it = loop->watches + descriptor;
    return (LCConnection){descriptor, it->serial, it->epoch};
}

LCConnection lc_loop_connection(LCLoop *loop, const char *local, int localPort, const char *remote, int remotePort) {
    LCConnection none = {-1, 0, 0};
    if (!local || !remote || localPort <= 0) return none;
    End here = end_from(local, localPort), there = end_from(remote, remotePort);
    int *found = loop->found + (unsigned)localPort % ports_kept;
    if (joins(loop, *found, here, there)) return connection_at(loop, *found);
    for (int descriptor = 0; descriptor < loop->count; descriptor++) {
        if (!joins(loop, descriptor, here, there)) continue;
        *found = descriptor;
        return connection_at(loop, descriptor);
    }
    return none;
}

/// The watch of a connection that is still open.
static Watch *open_watch(LCLoop *loop, LCConnection connection) {
    if (!connection.serial || connection.descriptor < 0 || connection.descriptor >= loop->count) return 0;
    Watch *it = loop->watches + connection.descriptor;
    return it->serial == connection.serial ? it : 0;
}

LCEntry lc_loop_enter(LCLoop *loop, LCConnection *connection, int number) {
    Watch *it = open_watch(loop, *connection);
    if (!it) return LC_ENTER_READY;
    // libcurl waits for no event after the end of an exchange that is still registered.
    if (it->users > 0 && !it->isWanted && !it->isPaused) {
        it->users = 0;
        it->epoch += 1;
    }
    bool isBusy = it->version == LC_VERSION_1 && it->users > 0 && it->kind == LC_MULTI_SHARING;
    if (isBusy || it->isMixedUp) return LC_ENTER_BUSY;
    char byte;
    // Readable data here, including the end of the connection, came without a request.
    bool isStale = is_serial(it) && it->uses > 0 && recv(connection->descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0;
    if (isStale) return LC_ENTER_STALE;
    it->uses += 1;
    it->users += 1;
    it->latest = number;
    connection->epoch = it->epoch;
    return LC_ENTER_READY;
}

void lc_loop_leave(LCLoop *loop, LCConnection connection) {
    Watch *it = open_watch(loop, connection);
    if (!it || it->epoch != connection.epoch || it->users == 0) return;
    it->users -= 1;
    if (it->users == 0) it->isPaused = false;
}

void lc_loop_note_pause(LCLoop *loop, LCConnection connection) {
    Watch *it = open_watch(loop, connection);
    if (it) it->isPaused = true;
}

int lc_loop_touch(LCLoop *loop, LCConnection connection) {
    Watch *it = open_watch(loop, connection);
    if (!it) return 0;
    return lc_pool_act(&loop->multis[it->kind].pool, connection.descriptor, has_input);
}

bool lc_loop_is_at_rest(LCLoop *loop, LCConnection connection) {
    Watch *it = open_watch(loop, connection);
    if (!it || it->isPaused || (it->isWanted && (it->events & EPOLLIN))) return false;
    char byte;
    return recv(connection.descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
           (errno == EAGAIN || errno == EWOULDBLOCK);
}

int lc_loop_note_version(LCLoop *loop, LCConnection connection, LCVersion version) {
    Watch *it = open_watch(loop, connection);
    if (!it) return 1;
    it->version = version;
    if (version == LC_VERSION_1 && it->users > 1 && it->kind == LC_MULTI_SHARING) it->isMixedUp = true;
    return !it->isMixedUp;
}

LCListener **lc_loop_listeners(LCLoop *loop) { return &loop->listeners; }

uint32_t *lc_loop_last_stream(LCLoop *loop, LCConnection connection) {
    Watch *it = open_watch(loop, connection);
    return it ? &it->lastStream : 0;
}

int lc_loop_unacknowledged(LCLoop *loop, LCConnection connection) {
    Watch *it = open_watch(loop, connection);
    int count = -1;
    if (!it || it->users != 1 || ioctl(connection.descriptor, SIOCOUTQ, &count) != 0) return -1;
    return count;
}

#else

bool lc_lacks_descriptors(void) { return false; }
bool lc_loop_give_way(LCLoop *loop, LCMultiKind kind) { return (void)loop, (void)kind, false; }
void lc_opener_attach(LCOpener *opener, LCEasy *easy) { (void)opener, (void)easy; }
void lc_loop_keep(LCLoop *loop, long idle) { (void)loop, (void)idle; }
uint64_t lc_loop_newest(LCLoop *loop) { return (void)loop, 0; }
long lc_descriptor_limit(void) { return INT32_MAX; }
LCLoop *lc_loop_create(void) { return 0; }
void lc_loop_destroy(LCLoop *loop) { (void)loop; }
LCMulti *lc_loop_multi(LCLoop *loop, LCMultiKind kind) { return (void)loop, (void)kind, (LCMulti *)0; }
void lc_loop_wake(LCLoop *loop) { (void)loop; }
int lc_loop_step(LCLoop *loop, int longest) { return (void)loop, (void)longest, -1; }
LCEasy *lc_loop_take_unheard(LCLoop *loop) { return (void)loop, (LCEasy *)0; }
int lc_loop_take_active(LCLoop *loop) { return (void)loop, -1; }

LCConnection lc_loop_connection(LCLoop *loop, const char *local, int localPort, const char *remote, int remotePort) {
    return (void)loop, (void)local, (void)localPort, (void)remote, (void)remotePort, (LCConnection){-1, 0, 0};
}

LCEntry lc_loop_enter(LCLoop *loop, LCConnection *connection, int number) {
    return (void)loop, (void)connection, (void)number, LC_ENTER_READY;
}


void lc_loop_leave(LCLoop *loop, LCConnection connection) { (void)loop, (void)connection; }
void lc_loop_note_pause(LCLoop *loop, LCConnection connection) { (void)loop, (void)connection; }

int lc_loop_touch(LCLoop *loop, LCConnection connection) { return (void)loop, (void)connection, 0; }

bool lc_loop_is_at_rest(LCLoop *loop, LCConnection connection) { return (void)loop, (void)connection, false; }

int lc_loop_note_version(LCLoop *loop, LCConnection connection, LCVersion version) {
    return (void)loop, (void)connection, (void)version, 1;
}

int lc_loop_unacknowledged(LCLoop *loop, LCConnection connection) { return (void)loop, (void)connection, -1; }

// No loop is made here, so that this is not called.
static LCListener *none;
LCListener **lc_loop_listeners(LCLoop *loop) { return (void)loop, &none; }
uint32_t *lc_loop_last_stream(LCLoop *loop, LCConnection connection) {
    return (void)loop, (void)connection, (uint32_t *)0;
}

#endif
