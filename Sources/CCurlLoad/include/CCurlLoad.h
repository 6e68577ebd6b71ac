/// libcurl as fast as it goes: the figure that everything built on it is compared with. For benchmarks only.
#pragma once

/// Makes GET requests, so many at a time, and throws their bodies away.
///
/// Returns the seconds it took; below zero when libcurl is absent or a request failed.
double curl_load(const char *url, int requests, int concurrency);
