/// Finds the operations in a GraphQL document without parsing their selections.
struct DocumentReader {
    /// The kinds (`query`, `mutation`, `subscription`) and names of the operations.
    private var operations: [(kind: String, name: String?)] = []

    init(_ document: String) {
        var rest = document.unicodeScalars[...]
        var depth = 0
        var words: [String] = []
        while let scalar = rest.first {
            switch scalar {
            case "#": rest = rest.drop { $0 != "\n" && $0 != "\r" }
            case "\"": Self.skipString(&rest)
            case "{", "(", "[":
                if depth == 0, scalar == "{" {
                    addOperation(words)
                    words = []
                }
                depth += 1
                rest.removeFirst()
            case "}", ")", "]":
                depth -= 1
                rest.removeFirst()
            case _ where Self.isInName(scalar):
                let word = rest.prefix(while: Self.isInName)
                if depth == 0 { words.append(String(String.UnicodeScalarView(word))) }
                rest = rest[word.endIndex...]
            default: rest.removeFirst()
            }
        }
    }

    /// Returns the kind of the named operation, or of the first operation if the name is `nil`.
    func kind(of name: String?) -> String? {
        operations.first { name == nil || $0.name == name }?.kind
    }

    /// The name of the only operation; `nil` if it has none, or if there are several.
    var onlyName: String? { operations.count == 1 ? operations.first?.name : nil }

    private mutating func addOperation(_ words: [String]) {
        switch words.first {
        case nil: operations.append(("query", nil))
        case "fragment": break
        case let kind?: operations.append((kind, words.count > 1 ? words[1] : nil))
        }
    }

    private static func isInName(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || (scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil))
    }

    private static func skipString(_ rest: inout Substring.UnicodeScalarView) {
        let isBlock = rest.starts(with: "\"\"\"".unicodeScalars)
        rest = rest.dropFirst(isBlock ? 3 : 1)
        while let scalar = rest.first {
            if scalar == "\\" {
                rest = rest.dropFirst(2)
            } else if isBlock ? rest.starts(with: "\"\"\"".unicodeScalars) : scalar == "\"" {
                rest = rest.dropFirst(isBlock ? 3 : 1)
                return
            } else {
                rest.removeFirst()
            }
        }
    }
}
