import Foundation
import Testing

/// Compares the declarations of clients with mapped errors with those of the plain ones, as text.
@Suite(.timeLimit(.minutes(5))) struct MappedMethodTests {
    private static let folder = URL(filePath: #filePath)
        .appendingPathComponent("../../../../../Sources/NetworkEngine/Client").standardized

    @Test(arguments: [
        (plain: ["NetworkProvider"], mapped: "MappedProvider", count: 40),
        (plain: ["HTTPClient"], mapped: "MappedHTTPClient", count: 30),
        (plain: ["RequestHandle"], mapped: "MappedHandle", count: 2),
        (plain: ["DownloadHandle"], mapped: "MappedDownloadHandle", count: 5),
    ])
    func `a type with mapped errors has every method of the plain one`(
        plain: [String], mapped: String, count: Int
    ) throws {
        let wanted = try Set(plain.flatMap(Self.methods)).subtracting(["mappingErrors"])
        let found = try Set(Self.methods(of: mapped))
        #expect(wanted.subtracting(found) == [], "\(mapped) lacks these: run .ci/mapped-errors")
        #expect(wanted.count >= count)
    }

    @Test func `a mapped client has every requirement of the contract`() throws {
        let wanted = try Set(Self.methods(of: "HTTPClientContract", isProtocol: true))
        let found = try Set(Self.methods(of: "MappedClient"))
        #expect(wanted.subtracting(found) == [] && wanted.count >= 6)
    }

    /// Returns the methods that files declare for a type: names, labels and types, with the types of the plain clients.
    private static func methods(of type: String) throws -> [String] { try methods(of: type, isProtocol: false) }

    private static func methods(of type: String, isProtocol: Bool) throws -> [String] {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
        var methods: [String] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            guard text.contains(type) else { continue }
            methods += Self.methods(of: type, in: text, isProtocol: isProtocol)
        }
        return methods
    }

    private static func methods(of type: String, in text: String, isProtocol: Bool) -> [String] {
        var methods: [String] = []
        var isInside = false
        var signature: String?
        // The overloads for mistakes have no counterparts.
        let available = text.replacing(#/    @available\([\s\S]*?\n    }\n/#, with: "")
        for line in available.split(separator: "\n") {
            if !line.hasPrefix(" "), line.hasSuffix("{") {
                let words = line.split { !$0.isLetter && !$0.isNumber }
                isInside =
                    words.first { $0.first?.isUppercase == true } == type[...]
                    && words.contains("protocol") == isProtocol
            }
            let start = isProtocol ? "    func " : "    public func "
            let isSpecial = line.hasPrefix("    public nonisolated(nonsending) func ")
            if isInside, signature == nil, line.hasPrefix(start) || isSpecial { signature = "" }
            guard let begun = signature else { continue }
            let whole = begun + line.trimmingCharacters(in: .whitespaces) + " "
            signature = whole
            let opens = whole.count { $0 == "(" } == whole.count { $0 == ")" }
            guard opens, isProtocol || whole.contains("{") else { continue }
            methods.append(normalized(whole))
            signature = nil
        }
        return methods
    }

    /// The declaration without differences that mapping makes, and without defaults, which protocols do not have.
    private static func normalized(_ declaration: String) -> String {
        var text = declaration
        text = text.replacing(/\s*\{.*$/, with: "").replacing("public ", with: "")
        if text.contains("func mappingErrors") { return "mappingErrors" }
        text = text.replacing(/MappedSequence<(.+), Failure>/) { "\($0.output.1)" }
        text = text.replacing(/MappedHandle<(.+), Failure>/) { "RequestHandle<\($0.output.1)>" }
        text = text.replacing("MappedDownloadHandle<Failure>", with: "DownloadHandle")
        text = text.replacing(/Mapped(Provider|HTTPClient)/, with: "Self").replacing("NetworkProvider", with: "Self")
        text = text.replacing("-> HTTPClient", with: "-> Self").replacing("NetworkError", with: "Failure")
        text = text.replacing(#/ = [\w.]+/#, with: "").replacing("T.Type", with: "Value.Type")
        text = text.replacing(/\bT\b/, with: "Value")
        return text.filter { !$0.isWhitespace }.replacing(",)", with: ")")
    }
}
