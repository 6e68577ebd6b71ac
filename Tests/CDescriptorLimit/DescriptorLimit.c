#include "DescriptorLimit.h"
#include <sys/resource.h>

/// Raises the limit before `main`. Without an option, Swift Testing starts all tests at the same time, and their sockets
/// and pipes need more descriptors than a login shell permits: often 1,024, and 256 on macOS.
__attribute__((constructor)) static void raise_descriptor_limit(void) {
    // The most that macOS permits without special rights.
    const rlim_t wanted = 10240;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    setrlimit(RLIMIT_NOFILE, &limit);
}

long descriptor_limit(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? (long)limit.rlim_cur : -1;
}
