// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Consumer",
    platforms: [.macOS(.v13), .iOS(.v16)],
    dependencies: [.package(name: "NetworkEngine", path: "../..")],
    targets: [
        .executableTarget(
            name: "App",
            dependencies: [
                .product(name: "NetworkEngine", package: "NetworkEngine"),
                .product(name: "NetworkEngineTesting", package: "NetworkEngine"),
            ]
        ),
        .executableTarget(
            name: "PreviewApp",
            dependencies: [
                .product(name: "NetworkEngine", package: "NetworkEngine"),
                .product(name: "NetworkEngineMocks", package: "NetworkEngine"),
            ],
            resources: [.copy("Previews")],
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
        .executableTarget(
            name: "MainActorApp",
            dependencies: [.product(name: "NetworkEngine", package: "NetworkEngine")],
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
        .executableTarget(
            name: "OneCall",
            dependencies: [.product(name: "NetworkEngine", package: "NetworkEngine")]
        ),
        .executableTarget(
            name: "AllProducts",
            dependencies: [.product(name: "NetworkEngineAll", package: "NetworkEngine")]
        ),
        // Stand-ins for the packages that generated clients need, with only the API that a transport uses.
        .target(name: "HTTPTypes"),
        .target(name: "OpenAPIRuntime", dependencies: ["HTTPTypes"]),
        .executableTarget(
            name: "GeneratedClient",
            dependencies: [
                "HTTPTypes", "OpenAPIRuntime",
                .product(name: "NetworkEngine", package: "NetworkEngine"),
                .product(name: "NetworkEngineTesting", package: "NetworkEngine"),
                .product(name: "NetworkEngineCurl", package: "NetworkEngine", condition: .when(platforms: [.linux])),
            ]
        ),
    ]
)
