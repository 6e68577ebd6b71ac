#include "TestLimits.h"
#include <stdlib.h>
#include <sys/resource.h>

/// The variable that Swift Testing reads before it starts.
static const char width[] = "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH";

static void raise_descriptor_limit(void) {
    // The maximum on macOS without special privileges.
    const rlim_t wanted = 10240;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/// Runs before `main`.
__attribute__((constructor)) static void set_limits(void) {
    raise_descriptor_limit();
    // Otherwise all tests start simultaneously. Thousands of tests with their servers would delay each other until some
    // exceed their time limits.
    const int keeps_value_of_user = 0;
    setenv(width, "8", keeps_value_of_user);
}

long test_descriptor_limit(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? (long)limit.rlim_cur : -1;
}

int test_parallelization_width(void) {
    const char *value = getenv(width);
    return value ? atoi(value) : 0;
}
