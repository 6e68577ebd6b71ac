// The system functions that an Embedded Swift program needs: memory that is never freed, output, and an entry point.
typedef __SIZE_TYPE__ size_t;
typedef unsigned long long u64;

extern int claims(void);
extern unsigned char __heap_base;
__attribute__((import_module("wasi_snapshot_preview1"), import_name("fd_write"))) int fd_write(
    int file, const void *pieces, int count, int *written);
__attribute__((import_module("wasi_snapshot_preview1"), import_name("proc_exit"))) _Noreturn void proc_exit(int code);

void _start(void) { proc_exit(claims()); }

int putchar(int character) {
  char byte = character;
  struct {
    char *start;
    size_t count;
  } piece = {&byte, 1};
  int written;
  fd_write(1, &piece, 1, &written);
  return character;
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  static size_t top = 0;
  if (!top) top = (size_t)&__heap_base;
  top = (top + alignment - 1) & ~(alignment - 1);
  size_t end = top + size, known = __builtin_wasm_memory_size(0) * 65536;
  if (end > known && __builtin_wasm_memory_grow(0, (end - known + 65535) / 65536) == (size_t)-1) return 12;
  *result = (void *)top;
  top = end;
  return 0;
}

void free(void *memory) {}

int memcmp(const void *left, const void *right, size_t count) {
  const unsigned char *a = left, *b = right;
  for (; count; count--, a++, b++)
    if (*a != *b) return *a - *b;
  return 0;
}

void arc4random_buf(void *memory, size_t count) { __builtin_memset(memory, 7, count); }

// The product of two 128-bit numbers, computed from 64-bit and 32-bit parts.
__int128 __multi3(__int128 left, __int128 right) {
  u64 a = left, b = right, mask = 0xFFFFFFFF;
  u64 low = (a & mask) * (b & mask), middle = (a >> 32) * (b & mask) + (low >> 32);
  u64 other = (a & mask) * (b >> 32) + (middle & mask);
  u64 high = (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
  high += (u64)(left >> 64) * b + a * (u64)(right >> 64);
  return (__int128)((unsigned __int128)high << 64 | (other << 32 | (low & mask)));
}
