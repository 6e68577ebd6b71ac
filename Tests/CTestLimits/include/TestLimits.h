/// Linking this target sets limits for the test process, so that `swift test` works without options:
///
/// - More file descriptors than a login shell permits, often 1,024, and 256 on macOS.
/// - At most eight concurrent tests, unless the environment specifies another number.
#pragma once

/// The maximum number of file descriptors for the process; -1 if unknown.
long test_descriptor_limit(void);
/// The maximum number of concurrent tests; 0 if unlimited.
int test_parallelization_width(void);
