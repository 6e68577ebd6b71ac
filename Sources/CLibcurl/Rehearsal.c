#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "CLibcurlNumbers.h"
#include "Internal.h"

#ifdef __linux__

#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/// Listens at a Unix-domain socket with a name that the system chooses, outside of the file system.
static int listen_anywhere(char *name, size_t size) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    socklen_t length = sizeof address.sun_family;
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return -1;
    bool is_bound = bind(listener, (struct sockaddr *)&address, length) == 0 && listen(listener, 1) == 0;
    length = sizeof address;
    if (!is_bound || getsockname(listener, (struct sockaddr *)&address, &length) != 0 ||
        length <= offsetof(struct sockaddr_un, sun_path) + 1) {
        close(listener);
        return -1;
    }
    // The name begins with a NUL, and has none at its end.
    size_t count = length - offsetof(struct sockaddr_un, sun_path) - 1;
    if (count > size - 1) count = size - 1;
    memcpy(name, address.sun_path + 1, count);
    name[count] = 0;
    return listener;
}

static bool has_input(int listener, int *peer) {
    char byte;
    if (*peer < 0) *peer = accept4(listener, 0, 0, SOCK_CLOEXEC);
    return *peer >= 0 && recv(*peer, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

int lc_rehearse(LCEasy *easy) {
    const int most_rounds = 100, pause = 10;
    char name[sizeof((struct sockaddr_un *)0)->sun_path];
    int code = 0, running = 0, peer = -1;
    int listener = listen_anywhere(name, sizeof name);
    if (listener < 0) return 0;
    // Without that socket it would connect to the network.
    if (lc_set_text(easy, LC_OPT_ABSTRACT_UNIX_SOCKET, name) != 0) {
        close(listener);
        return 0;
    }
    LCMulti *multi = lc_multi_create();
    bool goes_on = multi && lc_multi_add(multi, easy) == 0;
    for (int round = 0; goes_on && round < most_rounds; round++) {
        goes_on = lc_multi_perform(multi, &running) == 0 && !lc_multi_ended(multi, &code) &&
                  !has_input(listener, &peer) && lc_multi_poll(multi, pause) == 0;
    }
    if (multi) {
        lc_multi_remove(multi, easy);
        lc_multi_destroy(multi);
    }
    if (peer >= 0) close(peer);
    close(listener);
    return code;
}

#else

int lc_rehearse(LCEasy *easy) { return (void)easy, 0; }

#endif
