import Fixtures
import Foundation
import TestSupport
import Testing

@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)))
struct FixtureLoaderTests {
    private struct User: Decodable, Equatable {
        let id: Int
        let firstName: String
    }

    private struct UserList: Decodable {
        let users: [User]
    }

    private let loader = FixtureLoader(bundle: Fixtures.bundle)

    /// Returns the error for a file's text, without the folder.
    private func failure(of text: String, keys: JSONDecoder.KeyDecodingStrategy) throws -> String {
        let folder = try TemporaryFolder(["User.json": text])
        let error = #expect(throws: FixtureError.self) {
            try FixtureLoader(folder: folder.url).load("User", as: UserList.self, keyDecodingStrategy: keys)
        }
        return error?.description.replacingOccurrences(of: folder.url.path + "/", with: "") ?? ""
    }

    @Test(arguments: ["User", "User.json", "JSON/User", "JSON/User.json"])
    func `a fixture is found by its name in any folder of a bundle`(name: String) throws {
        let user = try loader.load(name, as: User.self, keyDecodingStrategy: .convertFromSnakeCase)
        #expect(user == User(id: 7, firstName: "Frances"))
    }

    @Test(
        arguments: [
            ["Info.plist", "Users.json"],  // iOS
            ["Contents/Info.plist", "Contents/Resources/Users.json"],  // macOS
            ["Contents/Info.plist", "Contents/Resources/Previews/Users.json"],
        ]
    )
    func `a fixture is found in the bundle of an app`(files: [String]) throws {
        let plist = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>test.Shop</string></dict></plist>
            """
        let folder = try TemporaryFolder(["Shop.app/\(files[0])": plist, "Shop.app/\(files[1])": "[7]"])
        let bundle = try #require(Bundle(url: folder.url.appendingPathComponent("Shop.app")))
        #expect(try FixtureLoader(bundle: bundle).load("Users", as: [Int].self) == [7])
    }

    @Test func `a list of ten is decoded with the strategy of its target`() throws {
        let list: UserList = try loader.load("UserListResponse", keyDecodingStrategy: .convertFromSnakeCase)
        #expect(list.users.count == 10)
    }

    @Test func `a fixture at the top goes before those in folders`() throws {
        let folder = try TemporaryFolder(["a/User.json": "1", "User.json": "2", "b/User.json": "3"])
        #expect(try FixtureLoader(folder: folder.url).load("User", as: Int.self) == 2)
        #expect(try FixtureLoader(folder: folder.url).load("b/User", as: Int.self) == 3)
    }

    @Test func `a name that several folders have is an error`() throws {
        let folder = try TemporaryFolder(["a/User.json": "1", "b/User.json": "3"])
        let error = #expect(throws: FixtureError.self) { try FixtureLoader(folder: folder.url).data("User") }
        #expect(error?.description == "fixture User: there are several in \(folder.url.path): a/User.json, b/User.json")
    }

    @Test func `a missing fixture is an error that lists the existing ones`() throws {
        let folder = try TemporaryFolder(["a/User.json": "1", "Post.json": "2"])
        let error = #expect(throws: FixtureError.self) { try FixtureLoader(folder: folder.url).data("Users") }
        #expect(
            error?.description == "fixture Users: not found in \(folder.url.path); it has Post.json, a/User.json"
        )
    }

    @Test func `a missing folder is an error`() {
        let loader = FixtureLoader(folder: URL(fileURLWithPath: "/nowhere"))
        let error = #expect(throws: FixtureError.self) { try loader.data("User") }
        #expect(error?.description == "fixture User: not found in /nowhere; it has no files")
    }

    @Test(
        arguments: [
            ("{\n\"users\": [\n{\"id\": 1},\n{\"id\": 2}]}", "User.json:3: users[0]: there is no \"firstName\""),
            ("[]", "User.json:1: "),
            (
                "{\n\"users\": [\n{\"id\": 1, \"first_name\": \"a\"},\n{\"id\": 2,\n\"first_name\": 3}]}",
                "User.json:5: users[1].firstName: "
            ),
            ("{\n\"users\":\n[{\"id\":\nnull, \"first_name\": \"\"}]}", "User.json:4: users[0].id: "),
        ]
    )
    func `a fixture with another shape is an error with file, line and coding path`(text: String, start: String) throws
    {
        let message = try failure(of: text, keys: .convertFromSnakeCase)
        #expect(message.hasPrefix(start), "\(message)")
    }

    @Test func `the keys of a dictionary are names, also if they are numbers`() throws {
        let folder = try TemporaryFolder(["Ages.json": "{\n\"6\": [1],\n\"7\": [1,\n\"x\"]}"])
        let loader = FixtureLoader(folder: folder.url)
        for error in [
            #expect(throws: FixtureError.self) { try loader.load("Ages", as: [String: [Int]].self) },
            #expect(throws: FixtureError.self) { try loader.load("Ages", as: [Int: [Int]].self) },
        ] { #expect(error?.codingPath == "7[1]" && error?.line == 4) }
    }

    @Test(
        arguments: [
            ("{\n\"users\": [}", "User.json:2: not JSON: unexpected \"}\""),
            ("{\n\"users\": [1,\n]", "User.json:3: not JSON: unexpected \"]\""),
            ("{\n\"users\"\n 7}", "User.json:3: not JSON: unexpected \"7\""),
            ("{\n\"a\": tru}", "User.json:2: not JSON: unexpected \"t\""),
            ("{\n\"a\": \"x\ny\"}", "User.json:2: not JSON: a string is not closed"),
            ("{\n\"a\": -}", "User.json:2: not JSON: unexpected \"}\""),
            ("{}\n\n;", "User.json:3: not JSON: unexpected \";\""),
            ("{\n\n", "User.json:3: not JSON: it ends too early"), ("", "User.json:1: not JSON: it ends too early"),
            (String(repeating: "[", count: 100_000), "User.json:1: the JSON is nested too deeply"),
        ]
    )
    func `a fixture that is not JSON is an error with file and line`(text: String, message: String) throws {
        #expect(try failure(of: text, keys: .useDefaultKeys) == message)
    }

    @Test func `placeholders are filled with values, and one without a value is an error with its line`() throws {
        let folder = try TemporaryFolder(["Numbers.json": "[{{a}},\n{{b}}]"])
        let loader = FixtureLoader(folder: folder.url)
        #expect(try loader.load("Numbers", as: [Int].self, values: ["a": "1", "b": "2"]) == [1, 2])
        let error = #expect(throws: FixtureError.self) { try loader.data("Numbers", values: ["a": "1"]) }
        #expect(error?.line == 2 && error?.reason == "there is no value for {{b}}")
    }
}
