/// Linking this target raises the number of descriptors that the test process may have.
#pragma once

/// The number of descriptors that the process may have; -1 if unknown.
long descriptor_limit(void);
