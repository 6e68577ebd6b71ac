/// Linking this target sets limits of the test process, so that `swift test` works without options:
///
/// - More descriptors than a login shell permits, which is often 1,024, and 256 on macOS.
/// - At most eight tests at the same time, unless the environment says otherwise.
#pragma once

/// The number of descriptors that the process may have; -1 if unknown.
long test_descriptor_limit(void);
/// The number of tests that run at the same time; 0 if unlimited.
int test_parallelization_width(void);
