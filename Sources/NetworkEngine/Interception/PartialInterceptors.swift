/// An interceptor that does nothing around the rest of the chain, so that a request need not be carried through it.
package protocol OneWayInterceptor: RequestInterceptor {}

/// An interceptor whose `adapt` marks what it places in a request.
package protocol MarkingInterceptor: RequestInterceptor {}

/// An interceptor whose `adapt` changes nothing, so that it need not be asked.
package protocol UnadaptingInterceptor: RequestInterceptor {}

/// An interceptor that lets calls whose requests are the same share an exchange.
package protocol SharingInterceptor: ExchangeInterceptor {}
