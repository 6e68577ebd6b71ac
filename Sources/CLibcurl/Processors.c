#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "CLibcurlThread.h"
#include <stdlib.h>

#ifdef __linux__
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

static const char *text_of(const char *path, char *text, size_t size) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, size - 1);
    close(file);
    if (count <= 0) return 0;
    text[count] = 0;
    return text;
}
#endif

int lc_processors_of_quota(const char *quota, const char *period) {
    char *rest = 0;
    long long share = strtoll(quota, &rest, 10);
    // "max", or a version 1 group without a limit.
    if (rest == quota || share <= 0) return 0;
    long long length = strtoll(period ? period : rest, 0, 10);
    if (length <= 0) return 0;
    long long whole = share / length + (share % length != 0);
    return whole < 1 << 20 ? (int)whole : 1 << 20;
}

int lc_processors(void) {
    int count = 1;
#ifdef __linux__
    cpu_set_t allowed;
    // Fails where a system has more processors than the set: then the count does not matter here.
    count = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : CPU_SETSIZE;
    char quota[64], period[64];
    int most = 0;
    if (text_of("/sys/fs/cgroup/cpu.max", quota, sizeof quota)) {
        most = lc_processors_of_quota(quota, 0);
    } else if (text_of("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", quota, sizeof quota) &&
               text_of("/sys/fs/cgroup/cpu/cpu.cfs_period_us", period, sizeof period)) {
        most = lc_processors_of_quota(quota, period);
    }
    if (most > 0 && most < count) count = most;
#endif
    return count > 1 ? count : 1;
}
