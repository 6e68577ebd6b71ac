/// An interceptor that does nothing around the rest of the chain, so that a request need not be carried through it.
package protocol OneWayInterceptor: RequestInterceptor {}
