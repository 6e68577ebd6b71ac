// One import for services, tools and tests that use most products.
@_exported public import NetworkEngine
@_exported public import NetworkEngineBackground
@_exported public import NetworkEngineCache
@_exported public import NetworkEngineCombine
@_exported public import NetworkEngineCookies
@_exported public import NetworkEngineDigest
@_exported public import NetworkEngineGraphQL
@_exported public import NetworkEngineGraphQLSocket
@_exported public import NetworkEngineInterop
@_exported public import NetworkEngineObservation
@_exported public import NetworkEngineResilience
@_exported public import NetworkEngineStreams
@_exported public import NetworkEngineUploads
@_exported public import NetworkEngineWebSocket

#if os(Linux)
@_exported public import NetworkEngineCurl
#endif
