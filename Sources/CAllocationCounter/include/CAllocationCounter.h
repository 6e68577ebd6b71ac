/// Counts the allocations of the process it is linked into. For benchmarks only.
#pragma once

/// The number of allocations so far; -1 where they cannot be counted.
long allocation_count(void);

/// The bytes of the heap that are in use; -1 where they cannot be counted.
long heap_bytes(void);
