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
    ]
)
