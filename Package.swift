// swift-tools-version: 6.2
import PackageDescription

/// Whether warnings are errors, as in this package's own builds (`.ci/run` sets `NETWORKENGINE_STRICT=1`). Never set in
/// a client's build.
let isStrict = Context.environment["NETWORKENGINE_STRICT"] != nil

let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])

/// The privacy manifest is a resource only on hosts that build apps. On Linux, every executable would have to be
/// deployed with a resource bundle.
#if os(macOS)
let privacyManifest: [Resource] = [.process("PrivacyInfo.xcprivacy")]
let unusedPrivacyManifest: [String] = []
#else
let privacyManifest: [Resource] = []
let unusedPrivacyManifest = ["PrivacyInfo.xcprivacy"]
#endif

let package = Package(
    name: "NetworkEngine",
    platforms: [.macOS(.v13), .macCatalyst(.v16), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "NetworkEngine", targets: ["NetworkEngine"]),
        .library(name: "NetworkEngineCache", targets: ["NetworkEngineCache"]),
        .library(name: "NetworkEngineCookies", targets: ["NetworkEngineCookies"]),
        .library(name: "NetworkEngineDigest", targets: ["NetworkEngineDigest"]),
        .library(name: "NetworkEngineResilience", targets: ["NetworkEngineResilience"]),
        .library(name: "NetworkEngineBackground", targets: ["NetworkEngineBackground"]),
        .library(name: "NetworkEngineCombine", targets: ["NetworkEngineCombine"]),
        .library(name: "NetworkEngineStreams", targets: ["NetworkEngineStreams"]),
        .library(name: "NetworkEngineUploads", targets: ["NetworkEngineUploads"]),
        .library(name: "NetworkEngineInterop", targets: ["NetworkEngineInterop"]),
        .library(name: "NetworkEngineWebSocket", targets: ["NetworkEngineWebSocket"]),
        .library(name: "NetworkEngineObservation", targets: ["NetworkEngineObservation"]),
        .library(name: "NetworkEngineGraphQL", targets: ["NetworkEngineGraphQL"]),
        .library(name: "NetworkEngineGraphQLSocket", targets: ["NetworkEngineGraphQLSocket"]),
        .library(name: "NetworkEngineCurl", targets: ["NetworkEngineCurl"]),
        .library(name: "NetworkEngineMocks", targets: ["NetworkEngineMocks"]),
        .library(name: "NetworkEngineTesting", targets: ["NetworkEngineTesting"]),
        .library(name: "NetworkEngineAll", targets: ["NetworkEngineAll"]),
    ],
    targets: [
        .target(name: "NetworkEngineJSON", swiftSettings: settings),
        .target(
            name: "NetworkEngine",
            dependencies: ["NetworkEngineJSON"],
            exclude: unusedPrivacyManifest,
            resources: privacyManifest,
            swiftSettings: settings
        ),
        .target(name: "NetworkEngineCache", dependencies: ["NetworkEngine"], swiftSettings: settings),
        .target(name: "NetworkEngineCookies", dependencies: ["NetworkEngine"], swiftSettings: settings),
        .target(name: "NetworkEngineDigest", dependencies: ["NetworkEngine"], swiftSettings: settings),
        .target(name: "NetworkEngineResilience", dependencies: ["NetworkEngine"], swiftSettings: settings),
        .target(name: "NetworkEngineBackground", dependencies: ["NetworkEngine"], swiftSettings: settings),
        .target(name: "NetworkEngineCombine", dependencies: ["NetworkEngine"], swiftSettings: settings),
        .target(
            name: "NetworkEngineStreams",
            dependencies: ["NetworkEngine", "NetworkEngineJSON"],
            swiftSettings: settings
        ),
        .target(name: "NetworkEngineUploads", dependencies: ["NetworkEngine"], swiftSettings: settings),
        .target(name: "NetworkEngineInterop", dependencies: ["NetworkEngine"], swiftSettings: settings),
        .target(name: "NetworkEngineWebSocket", dependencies: ["NetworkEngine"], swiftSettings: settings),
        .target(name: "NetworkEngineObservation", dependencies: ["NetworkEngine"], swiftSettings: settings),
        .target(
            name: "NetworkEngineGraphQL",
            dependencies: ["NetworkEngine", "NetworkEngineCombine", "NetworkEngineStreams", "NetworkEngineJSON"],
            swiftSettings: settings
        ),
        .target(
            name: "NetworkEngineGraphQLSocket",
            dependencies: ["NetworkEngine", "NetworkEngineGraphQL", "NetworkEngineWebSocket", "NetworkEngineJSON"],
            swiftSettings: settings
        ),
        .target(name: "CLibcurl"),
        .target(
            name: "NetworkEngineAll",
            dependencies: [
                "NetworkEngine", "NetworkEngineCache", "NetworkEngineCookies", "NetworkEngineDigest",
                "NetworkEngineResilience", "NetworkEngineBackground", "NetworkEngineCombine", "NetworkEngineStreams",
                "NetworkEngineUploads", "NetworkEngineInterop", "NetworkEngineWebSocket", "NetworkEngineObservation",
                "NetworkEngineGraphQL", "NetworkEngineGraphQLSocket", "NetworkEngineCurl",
            ],
            swiftSettings: settings
        ),
        .target(name: "NetworkEngineCurl", dependencies: ["NetworkEngine", "CLibcurl"], swiftSettings: settings),
        .target(
            name: "NetworkEngineMocks",
            dependencies: ["NetworkEngine", "NetworkEngineGraphQL"],
            swiftSettings: settings
        ),
        .target(
            name: "NetworkEngineTesting",
            dependencies: [
                "NetworkEngine", "NetworkEngineWebSocket", "NetworkEngineMocks", "NetworkEngineObservation",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Fixtures",
            path: "Fixtures",
            resources: [.copy("JSON"), .copy("PublicSuffixes")],
            swiftSettings: settings
        ),
        .target(name: "CAllocationCounter"),
        .target(
            name: "UserDirectory",
            dependencies: ["NetworkEngine", "NetworkEngineMocks", "Fixtures"],
            path: "Sources/Demo/UserDirectory",
            swiftSettings: settings
        ),
        .target(
            name: "TerminalProgress",
            dependencies: ["NetworkEngine"],
            path: "Sources/Demo/TerminalProgress",
            swiftSettings: settings
        ),
        .target(
            name: "DemoTour",
            dependencies: [
                "NetworkEngine", "NetworkEngineStreams", "NetworkEngineCache", "NetworkEngineWebSocket",
                "NetworkEngineObservation",
                "NetworkEngineGraphQL", "NetworkEngineCurl", "NetworkEngineMocks", "NetworkEngineTesting", "Fixtures",
                "UserDirectory", "TerminalProgress",
            ],
            path: "Sources/Demo/Tour",
            swiftSettings: settings
        ),
        .target(name: "CCurlLoad", dependencies: ["CLibcurl"]),
        .executableTarget(
            name: "demo",
            dependencies: ["DemoTour"],
            path: "Sources/Demo",
            exclude: ["Tour", "UserDirectory", "TerminalProgress"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "NetworkEngine", "NetworkEngineStreams", "NetworkEngineResilience", "NetworkEngineWebSocket",
                "NetworkEngineObservation",
                "NetworkEngineGraphQL", "NetworkEngineCurl", "NetworkEngineTesting", "NetworkEngineJSON", "Fixtures",
                "CAllocationCounter", "CCurlLoad",
            ],
            path: "Sources/Benchmarks",
            swiftSettings: settings
        ),
        .target(name: "CTestLimits", path: "Tests/CTestLimits"),
        .target(
            name: "TestSupport",
            dependencies: ["NetworkEngine", "NetworkEngineDigest", "NetworkEngineTesting", "CTestLimits"],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkEngineTests",
            dependencies: [
                "NetworkEngine", "NetworkEngineStreams", "NetworkEngineCookies", "NetworkEngineDigest",
                "NetworkEngineResilience",
                "NetworkEngineObservation", "NetworkEngineTesting", "NetworkEngineJSON", "Fixtures", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkEngineCacheTests",
            dependencies: [
                "NetworkEngine", "NetworkEngineCache", "NetworkEngineCookies", "NetworkEngineDigest",
                "NetworkEngineResilience", "NetworkEngineTesting", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkEngineCookiesTests",
            dependencies: [
                "NetworkEngine", "NetworkEngineCache", "NetworkEngineCookies", "NetworkEngineResilience",
                "NetworkEngineTesting", "Fixtures", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkEngineDigestTests",
            dependencies: ["NetworkEngine", "NetworkEngineDigest", "NetworkEngineTesting", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkEngineResilienceTests",
            dependencies: ["NetworkEngine", "NetworkEngineResilience", "NetworkEngineTesting", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkEngineBackgroundTests",
            dependencies: ["NetworkEngine", "NetworkEngineBackground", "NetworkEngineTesting", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkEngineCombineTests",
            dependencies: ["NetworkEngine", "NetworkEngineCombine", "NetworkEngineTesting", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkEngineStreamsTests",
            dependencies: [
                "NetworkEngine", "NetworkEngineStreams", "NetworkEngineTesting", "Fixtures", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkEngineUploadsTests",
            dependencies: [
                "NetworkEngine", "NetworkEngineUploads", "NetworkEngineCurl", "NetworkEngineMocks",
                "NetworkEngineTesting", "TestSupport",
            ],
            exclude: ["tus-server.py"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkEngineInteropTests",
            dependencies: [
                "NetworkEngine", "NetworkEngineInterop", "NetworkEngineCache", "NetworkEngineCurl",
                "NetworkEngineTesting", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkEngineWebSocketTests",
            dependencies: [
                "NetworkEngine", "NetworkEngineResilience", "NetworkEngineWebSocket", "NetworkEngineTesting",
                "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkEngineObservationTests",
            dependencies: [
                "NetworkEngine", "NetworkEngineObservation", "NetworkEngineTesting", "Fixtures", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkEngineGraphQLTests",
            dependencies: [
                "NetworkEngine", "NetworkEngineGraphQL", "NetworkEngineTesting", "NetworkEngineJSON", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkEngineGraphQLSocketTests",
            dependencies: [
                "NetworkEngine", "NetworkEngineGraphQL", "NetworkEngineGraphQLSocket", "NetworkEngineWebSocket",
                "NetworkEngineCurl", "NetworkEngineTesting", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkEngineCurlTests",
            dependencies: [
                "NetworkEngine", "NetworkEngineStreams", "NetworkEngineWebSocket", "NetworkEngineCurl",
                "NetworkEngineTesting", "CLibcurl", "TestSupport",
            ],
            exclude: ["Support/h2-server.py", "Support/h3-server.py"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkEngineMocksTests",
            dependencies: [
                "NetworkEngine", "NetworkEngineStreams", "NetworkEngineGraphQL", "NetworkEngineMocks",
                "NetworkEngineTesting", "Fixtures",
                "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PreviewTests",
            dependencies: ["NetworkEngine", "NetworkEngineGraphQL", "NetworkEngineMocks"],
            resources: [.copy("Previews")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkEngineTestingTests",
            dependencies: [
                "NetworkEngine", "NetworkEngineStreams", "NetworkEngineWebSocket", "NetworkEngineObservation",
                "NetworkEngineTesting", "Fixtures", "TestSupport", "CTestLimits",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "NetworkEngine", "NetworkEngineStreams", "NetworkEngineCache", "NetworkEngineCookies",
                "NetworkEngineDigest", "NetworkEngineInterop",
                "NetworkEngineResilience", "NetworkEngineWebSocket", "NetworkEngineObservation", "NetworkEngineCurl",
                "NetworkEngineTesting", "Fixtures", "TestSupport",
            ],
            exclude: ["Support/tls-front.py", "Transfers/expectation-server.py"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "NetworkEngine", "NetworkEngineStreams", "NetworkEngineCache", "NetworkEngineCookies",
                "NetworkEngineDigest", "NetworkEngineInterop",
                "NetworkEngineResilience", "NetworkEngineUploads", "NetworkEngineWebSocket",
                "NetworkEngineObservation",
                "NetworkEngineGraphQL", "NetworkEngineGraphQLSocket", "NetworkEngineCurl", "NetworkEngineTesting",
                "Fixtures", "DemoTour", "UserDirectory", "TerminalProgress", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "MainActorAppTests",
            dependencies: ["NetworkEngine", "NetworkEngineTesting", "Fixtures"],
            swiftSettings: settings + [.defaultIsolation(MainActor.self)]
        ),
    ],
    swiftLanguageModes: [.v6]
)
