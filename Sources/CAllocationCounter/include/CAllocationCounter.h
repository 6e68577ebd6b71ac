/// Counts the allocations of the process it is linked into. For benchmarks only.
#pragma once

/// The number of allocations so far; -1 where they cannot be counted.
long allocation_count(void);
