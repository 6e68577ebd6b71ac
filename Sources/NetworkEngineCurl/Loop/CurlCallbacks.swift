import CLibcurl

/// The functions that libcurl calls, always on the thread of its loop.
struct CurlCallbacks {
    let header: LCDataCallback
    let write: LCDataCallback
    let read: LCDataCallback
    let seek: LCSeekCallback
    let prereq: LCPrereqCallback
    let trailers: LCTrailerCallback
}
