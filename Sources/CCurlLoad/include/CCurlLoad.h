/// libcurl as fast as it goes: the figure that everything built on it is compared with. For benchmarks only.
#pragma once

#include <stddef.h>

/// Gets the body of a response; anything but 0 ends the load.
typedef int CurlLoadBody(void *context, const char *bytes, size_t count);

/// Makes GET requests, so many at a time, and hands over their bodies, or throws them away where nobody takes them.
///
/// Returns the seconds it took; below zero when libcurl is absent or a request failed.
double curl_load(const char *url, int requests, int concurrency, CurlLoadBody *on_body, void *context);
