#include "CLibcurlNumbers.h"
#include "Internal.h"

/// The time between two looks at the limit, in milliseconds.
enum { settling = 1000 };
/// The number of connections that are closed at a time.
enum { most_closed = 32 };
enum { no_socket = -1 };

static void permit(LCPool *pool, int transfers) {
    pool->most = transfers;
    lc_multi_set_number(pool->multi, LC_MULTI_MAXCONNECTS, pool->idle + transfers);
}

void lc_pool_set(LCPool *pool, long idle) {
    pool->idle = idle;
    permit(pool, pool->most);
}

int lc_pool_act(LCPool *pool, int socket, int events) {
    int running = pool->running;
    int code = lc_multi_socket_action(pool->multi, socket, events, &running);
    pool->running = running;
    if (running > pool->recent) pool->recent = running;
    if (running > pool->most) permit(pool, running);
    return code;
}

/// Refuses to open a socket.
static int refuse(void *context, int purpose, void *address) { return (void)context, (void)purpose, (void)address, -1; }

/// Begins a transfer that fails without I/O. Before libcurl opens a connection for it, it closes the oldest idle one if
/// there are too many.
static void close_oldest(LCPool *pool) {
    LCEasy *easy = lc_easy_create();
    if (!easy) return;
    lc_set_text(easy, LC_OPT_URL, "http://127.0.0.1/");
    lc_set_text(easy, LC_OPT_PROXY, "");
    lc_set_number(easy, LC_OPT_NOSIGNAL, 1);
    // Otherwise it could be sent over an idle connection to a server on this machine.
    lc_set_number(easy, LC_OPT_FRESH_CONNECT, 1);
    lc_easy_attach(easy, refuse, 0, 0, 0);
    if (lc_multi_add(pool->multi, easy) == 0) {
        lc_pool_act(pool, no_socket, 0);
        lc_multi_remove(pool->multi, easy);
    }
    lc_easy_destroy(easy);
}

bool lc_pool_settle(LCPool *pool, const int *open, int own, int64_t now) {
    if (now < pool->settles) return false;
    pool->settles = now + settling;
    // Transfers that were removed are noticed.
    lc_pool_act(pool, no_socket, 0);
    int peak = pool->recent > pool->last ? pool->recent : pool->last;
    // The transfers of a busy program come and go together. The limit follows them slowly, until most are gone.
    int slowly = pool->most - (pool->most + 15) / 16;
    permit(pool, peak <= pool->most / 4 || peak > slowly ? peak : slowly);
    pool->last = pool->recent;
    pool->recent = pool->running;
    const long limit = pool->idle + pool->most;
    long surplus = own - limit;
    if (surplus <= 0) return true;
    if (surplus > most_closed) {
        surplus = most_closed;
        pool->settles = now;
    }
    // A new transfer takes the place of an idle connection, as long as there are more than the limit. So it never waits.
    lc_multi_set_number(pool->multi, LC_MULTI_MAX_TOTAL_CONNECTIONS, own - surplus + 1);
    const long target = *open - surplus;
    for (long round = 0; round < surplus && *open > target; round++) close_oldest(pool);
    lc_multi_set_number(pool->multi, LC_MULTI_MAX_TOTAL_CONNECTIONS, 0);
    return true;
}
