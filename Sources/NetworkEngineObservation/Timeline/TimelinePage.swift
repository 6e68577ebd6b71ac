import Foundation
import NetworkEngine

/// A timeline page: markup, style and script around the data.
///
/// The data are lines of JSON, so that a browser parses each line only when needed.
enum TimelinePage {
    static var beforeData: String {
        // Only this script and this style can run, whatever the data contain.
        let policy =
            "default-src 'none'; script-src '\(hash(of: script))'; style-src '\(hash(of: style))'; "
            + "base-uri 'none'; form-action 'none'"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>Network timeline</title>
            <style>\(style)</style>
            </head>
            \(body)
            <script type="application/json" id="data">

            """
    }

    static var afterData: String { "\n</script>\n<script>\(script)</script>\n</body>\n</html>\n" }

    static let style = TimelineStyle.text
    static let script = TimelineScript.text + TimelineScript.filter + TimelineScript.details

    private static let body = """
        <body>
        <header>
        <h1>Network timeline</h1>
        <input id="filter" type="search" placeholder="Filter: text, status, method, failed   ( / )" autocomplete="off" \
        spellcheck="false" aria-label="Filter calls">
        <span id="summary" role="status"></span>
        <span id="legend" aria-hidden="true"></span>
        </header>
        <main>
        <section id="list" aria-label="Calls">
        <div id="heads"><div class="name">Call</div><div class="status">Status</div><div class="time">Time</div>\
        <div class="bars"><div id="axis"></div></div></div>
        <div id="scroll" tabindex="0" role="listbox" aria-label="Calls" aria-activedescendant="">\
        <div id="space"><div id="rows"></div></div></div>
        </section>
        <aside id="details" aria-label="Details" hidden></aside>
        </main>
        """

    /// JSON that cannot close the enclosing element, and has no line breaks that only JavaScript recognizes.
    static func escaped(_ json: Data) -> Data {
        var result = Data(capacity: json.count)
        json.withUnsafeBytes { bytes in
            var copied = 0
            for index in bytes.indices {
                let escape: String
                var length = 1
                switch bytes[index] {
                case UInt8(ascii: "<"): escape = "\\u003c"
                // U+2028 and U+2029 are E2 80 A8 and E2 80 A9 in UTF-8.
                case 0xE2 where index + 2 < bytes.count && bytes[index + 1] == 0x80 && bytes[index + 2] | 1 == 0xA9:
                    escape = bytes[index + 2] == 0xA8 ? "\\u2028" : "\\u2029"
                    length = 3
                default: continue
                }
                result.append(contentsOf: bytes[copied..<index])
                result.append(contentsOf: escape.utf8)
                copied = index + length
            }
            result.append(contentsOf: bytes[copied...])
        }
        return result
    }

    /// The hash of a script or style for the page's content security policy.
    private static func hash(of text: String) -> String {
        "sha256-" + Data(SHA256.digest(of: text.utf8)).base64EncodedString()
    }
}
