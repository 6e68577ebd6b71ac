#include "CAllocationCounter.h"
#include <stddef.h>

#if defined(__GLIBC__) || defined(__linux__)
#include <features.h>
#endif

#ifdef __GLIBC__

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>

// glibc's own names for what these definitions stand in front of.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

enum { places = 64, cache_line = 64 };

/// A count for each thread, or for a few of them if there are many, each on a separate cache line: threads that share a
/// counter wait for each other, which would distort the measurement.
static struct {
    _Alignas(cache_line) _Atomic long count;
} counters[places];
static _Atomic unsigned int threads;
static _Thread_local unsigned int number;

static void add(void) {
    if (!number) number = atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) % places + 1;
    atomic_fetch_add_explicit(&counters[number - 1].count, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
    add();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    add();
    return __libc_calloc(number, size);
}

void *realloc(void *pointer, size_t size) {
    add();
    return __libc_realloc(pointer, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    add();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **pointer, size_t alignment, size_t size) {
    add();
    *pointer = __libc_memalign(alignment, size);
    return *pointer ? 0 : ENOMEM;
}

long allocation_count(void) {
    long sum = 0;
    for (int place = 0; place < places; place++) {
        sum += atomic_load_explicit(&counters[place].count, memory_order_relaxed);
    }
    return sum;
}

long heap_bytes(void) { return (long)mallinfo2().uordblks; }

#else

long allocation_count(void) { return -1; }

long heap_bytes(void) { return -1; }

#endif
