// This product re-exports clients, transports and fixtures, which it contained before previews got their own product.
@_exported public import NetworkEngineMocks
