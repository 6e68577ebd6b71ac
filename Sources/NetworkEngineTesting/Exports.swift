// Clients, transports and fixtures are part of this product, as they were before previews got a product of their own.
@_exported public import NetworkEngineMocks
