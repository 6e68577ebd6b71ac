/// The functions of libcurl and of decoders that the package uses, found at run time in the loaded libraries.
///
/// All declarations follow the documented binary interface, which has been stable since soname 4. The package needs no
/// header package, no linker flag and no installation step.
#pragma once

#include "CDecoding.h"
#include "CLibcurlCalls.h"
#include "CLibcurlLoop.h"
#include "CLibcurlNumbers.h"
#include "CLibcurlRefusals.h"
#include "CLibcurlSockets.h"
#include "CLibcurlThread.h"
