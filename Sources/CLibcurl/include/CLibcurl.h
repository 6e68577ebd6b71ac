/// The few functions of libcurl and zlib that are used here, found at run time in the libraries that are loaded anyway.
///
/// Everything is declared from the documented binary interface, which has been stable since soname 4: no header package,
/// no link flag, no step to install anything.
#pragma once

#include "CLibcurlCalls.h"
#include "CLibcurlLoop.h"
#include "CLibcurlNumbers.h"
#include "CLibcurlThread.h"
#include "CZlib.h"
