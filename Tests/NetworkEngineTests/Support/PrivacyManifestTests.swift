import Foundation
import Testing

/// Compares the libraries' privacy manifests with the APIs that the sources call.
@Suite(.timeLimit(.minutes(5))) struct PrivacyManifestTests {
    /// The names of the functions and properties that require a reason from Apple's list.
    private static let names: [String: [String]] = [
        "NSPrivacyAccessedAPICategoryFileTimestamp": [
            "creationDate", "modificationDate", "fileModificationDate", "contentModificationDateKey", "creationDateKey",
            "getattrlist", "getattrlistbulk", "fgetattrlist", "getattrlistat", "stat", "fstat", "fstatat", "lstat",
        ],
        "NSPrivacyAccessedAPICategorySystemBootTime": ["systemUptime", "mach_absolute_time"],
        "NSPrivacyAccessedAPICategoryDiskSpace": [
            "volumeAvailableCapacityKey", "volumeAvailableCapacityForImportantUsageKey",
            "volumeAvailableCapacityForOpportunisticUsageKey", "volumeTotalCapacityKey", "volumeAvailableCapacity",
            "volumeTotalCapacity", "systemFreeSize", "systemSize", "statfs", "statvfs", "fstatfs", "fstatvfs",
        ],
        "NSPrivacyAccessedAPICategoryActiveKeyboards": ["activeInputModes"],
        "NSPrivacyAccessedAPICategoryUserDefaults": ["UserDefaults"],
    ]

    /// The codes that Apple accepts for each category in use.
    private static let reasons: [String: Set<String>] = [
        "NSPrivacyAccessedAPICategoryFileTimestamp": ["DDA9.1", "C617.1", "3B52.1", "0A2A.1"],
        "NSPrivacyAccessedAPICategorySystemBootTime": ["35F9.1", "8FFB.1", "3D61.1"],
        "NSPrivacyAccessedAPICategoryDiskSpace": ["85F4.1", "E174.1", "7D9E.1", "B728.1"],
        "NSPrivacyAccessedAPICategoryActiveKeyboards": ["3EC4.1", "54BD.1"],
        "NSPrivacyAccessedAPICategoryUserDefaults": ["CA92.1", "1C8F.1", "C56D.1", "AC6B.1"],
    ]

    private static let libraries = [
        "NetworkEngine", "NetworkEngineJSON", "NetworkEngineGraphQL", "NetworkEngineCurl", "CLibcurl",
        "NetworkEngineTesting",
    ]

    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test(arguments: libraries)
    func `a library declares the categories of what its sources call, and no others`(library: String) throws {
        let folder = Self.root.appendingPathComponent("Sources/\(library)")
        let declared = try Self.declarations(in: folder)
        let called = try Self.categories(ofSourcesIn: folder)
        #expect(Set(declared.keys) == called)
    }

    @Test(arguments: libraries)
    func `each category has reasons that Apple lists for it`(library: String) throws {
        for (category, reasons) in try Self.declarations(in: Self.root.appendingPathComponent("Sources/\(library)")) {
            #expect(!reasons.isEmpty)
            #expect(Set(reasons).isSubset(of: Self.reasons[category] ?? []))
        }
    }

    @Test func `the manifest declares no tracking and no collected data`() throws {
        let found = try Self.manifest(in: Self.root.appendingPathComponent("Sources/NetworkEngine"))
        let manifest = try #require(found)
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        #expect((manifest["NSPrivacyTrackingDomains"] as? [Any])?.isEmpty == true)
        #expect((manifest["NSPrivacyCollectedDataTypes"] as? [Any])?.isEmpty == true)
    }

    @Test func `the search finds a name in code, and not in a comment or another name`() {
        let names = ["func a() { fstat(1) } // statfs", "let mystat = 1", "/// UserDefaults"]
        #expect(Self.categories(of: names.joined(separator: "\n")) == ["NSPrivacyAccessedAPICategoryFileTimestamp"])
    }

    private static func manifest(in folder: URL) throws -> [String: Any]? {
        let file = folder.appendingPathComponent("PrivacyInfo.xcprivacy")
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let plist = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
        return try #require(plist as? [String: Any])
    }

    private static func declarations(in folder: URL) throws -> [String: [String]] {
        guard let manifest = try manifest(in: folder) else { return [:] }
        let types = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        let pairs = try types.map { type in
            (
                try #require(type["NSPrivacyAccessedAPIType"] as? String),
                try #require(type["NSPrivacyAccessedAPITypeReasons"] as? [String])
            )
        }
        return Dictionary(pairs) { $0 + $1 }
    }

    private static func categories(ofSourcesIn folder: URL) throws -> Set<String> {
        let files = try #require(
            FileManager.default.subpaths(atPath: folder.path)?.filter { path in
                [".swift", ".c", ".h"].contains { path.hasSuffix($0) }
            })
        #expect(!files.isEmpty)
        return try files.reduce(into: []) { found, path in
            let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
            found.formUnion(categories(of: text))
        }
    }

    private static func categories(of text: String) -> Set<String> {
        var words: Set<Substring> = []
        for line in text.split(separator: "\n") {
            let code = line.range(of: "//").map { line[..<$0.lowerBound] } ?? line
            words.formUnion(code.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
        }
        return Set(names.filter { $0.value.contains { words.contains(Substring($0)) } }.keys)
    }
}
