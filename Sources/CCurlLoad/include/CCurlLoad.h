/// libcurl as fast as it goes: the figure that everything built on it is compared with. For benchmarks only.
#pragma once

#include <stddef.h>

/// Gets the body of a response; anything but 0 ends the load.
typedef int CurlLoadBody(void *context, const char *bytes, size_t count);

/// Makes GET requests, a number of them at a time, and passes their bodies to a callback, or drops them without one.
///
/// With a file of authorities, HTTP/2 is offered, and requests share its connection.
/// Returns the seconds that this took; negative if libcurl is missing or a request failed.
double curl_load(const char *url, int requests, int concurrency, const char *authorities, CurlLoadBody *on_body,
                 void *context);
