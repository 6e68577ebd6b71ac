import Foundation
import TestSupport

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Reads a form with third-party parsers: Python's werkzeug and python-multipart.
enum FormReader: String, CaseIterable {
    case werkzeug, pythonMultipart

    struct Part: Codable, Hashable {
        var name: String
        var filename: String?
        var type: String?
        var digest: String
        var count: Int
    }

    struct Failure: Error { let output: String }

    static let isInstalled = Program.python(has: "werkzeug", "python_multipart")

    /// The parts of a request's form, in order.
    func parts(of request: LoopbackRequest) async throws -> [Part] {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("form")
        try request.body.write(to: file)
        let type = request.headers["Content-Type"] ?? ""
        let (status, output) = try await Program.run(Program.python, ["-c", Self.script, rawValue, file.path, type])
        guard status == 0 else { throw Failure(output: output) }
        return try JSONDecoder().decode([Part].self, from: Data(output.utf8))
    }

    /// werkzeug decodes only the quote in escaped names, and python-multipart nothing. They leave the rest to their
    /// callers.
    private static let script = #"""
        import sys, json, hashlib
        reader, path, content_type = sys.argv[1:4]
        parts = []
        def plain(text):
            if text is None: return None
            return text.replace("%22", '"').replace("%0D", "\r").replace("%0A", "\n").replace("%5C", "\\")
        def add(name, filename, type, content):
            digest = hashlib.sha256(content).hexdigest()
            parts.append({"name": plain(name), "filename": plain(filename), "type": type, "digest": digest, "count": len(content)})

        if reader == "werkzeug":
            from werkzeug.http import parse_options_header
            from werkzeug.sansio.multipart import MultipartDecoder, Data, Field, File, Epilogue, NeedData
            kind, options = parse_options_header(content_type)
            assert kind == "multipart/form-data"
            decoder = MultipartDecoder(options["boundary"].encode())
            current, content, source = None, b"", open(path, "rb")
            while True:
                event = decoder.next_event()
                if isinstance(event, NeedData):
                    decoder.receive_data(source.read(65536) or None)
                elif isinstance(event, (Field, File)):
                    current, content = event, b""
                elif isinstance(event, Data):
                    content += event.data
                    if not event.more_data:
                        add(current.name, getattr(current, "filename", None), current.headers.get("Content-Type"), content)
                elif isinstance(event, Epilogue):
                    break
        else:
            from python_multipart.multipart import MultipartParser, parse_options_header
            kind, options = parse_options_header(content_type)
            assert kind == b"multipart/form-data"
            state = {}
            def begin(): state.update(headers={}, field=b"", value=b"", content=[])
            def field(data, start, end): state["field"] += data[start:end]
            def value(data, start, end): state["value"] += data[start:end]
            def header():
                state["headers"][state["field"].lower()] = state["value"]
                state.update(field=b"", value=b"")
            def body(data, start, end): state["content"].append(data[start:end])
            def end():
                # A quoted text is cut by hand: the module undoes backslashes, which browsers do not write.
                line = state["headers"][b"content-disposition"]
                def parameter(key):
                    found = line.split(b"; " + key + b'="', 1)
                    return found[1].split(b'"', 1)[0].decode() if len(found) > 1 else None
                type = state["headers"].get(b"content-type")
                add(parameter(b"name"), parameter(b"filename"), type and type.decode(), b"".join(state["content"]))
            parser = MultipartParser(options[b"boundary"], {
                "on_part_begin": begin, "on_part_data": body, "on_part_end": end, "on_header_field": field,
                "on_header_value": value, "on_header_end": header})
            with open(path, "rb") as source:
                while chunk := source.read(65536): parser.write(chunk)
            parser.finalize()
        json.dump(parts, sys.stdout)
        """#
}
