import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams

/// Tests the algorithm in section 9.2.6 of the HTML standard, with the standard's examples.
@Suite(.timeLimit(.minutes(5))) struct EventParserTests {
    private static func events(_ text: String, inPiecesOf size: Int) -> ([ServerSentEvent], EventParser) {
        var parser = EventParser()
        var events: [ServerSentEvent] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            parser.add(Data(bytes[start..<min(start + size, bytes.count)]))
            while let event = parser.next() { events.append(event) }
        }
        return (events, parser)
    }

    private typealias Event = ServerSentEvent

    @Test(arguments: [
        ("data: YHOO\ndata: +2\ndata: 10\n\n", [Event(data: "YHOO\n+2\n10")]),
        (
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            [Event(data: "first event", id: "1"), Event(data: "second event"), Event(data: " third event")]
        ),
        ("data\n\ndata\ndata\n\ndata:", [Event(data: ""), Event(data: "\n")]),
        ("data:test\n\ndata: test\n\n", [Event(data: "test"), Event(data: "test")]),
        ("\u{FEFF}data: a\n\n", [Event(data: "a")]),
        ("data: a\n\n\u{FEFF}data: b\n\n", [Event(data: "a")]),
        ("event: add\r\ndata: 73857293\r\n\r\n", [Event(name: "add", data: "73857293")]),
        ("event: add\rdata: x\r\r", [Event(name: "add", data: "x")]),
        ("event: add\n\ndata: x\n\n", [Event(data: "x")]),
        (
            "id: 7\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
            [Event(data: "a", id: "7"), Event(data: "b", id: "7"), Event(data: "c")]
        ),
        ("id: a\0b\ndata: x\n\n", [Event(data: "x")]),
        ("id: 1\nid: a\u{8}b\ndata: x\n\n", [Event(data: "x", id: "1")]),
        ("dato: x\nDATA: y\n data: z\n\n", []),
        ("data: never finished", []),
    ])
    func `the events of the standard are parsed with any sizes of chunks`(text: String, expected: [ServerSentEvent]) {
        for size in 1...text.utf8.count {
            #expect(Self.events(text, inPiecesOf: size).0 == expected, "in pieces of \(size)")
        }
    }

    @Test(arguments: [
        ("retry: 250\n", 250), ("retry: 1x\n", nil), ("retry:\n", nil), ("retry: -1\n", nil),
        ("retry: 99999999999999999999\n", nil),
    ])
    func `a retry time is read only if it is a number`(text: String, milliseconds: Int?) {
        #expect(Self.events(text, inPiecesOf: 1).1.retry == milliseconds.map { .milliseconds($0) })
    }

    @Test(arguments: [
        ("event: a\ndata: b\nid: c\n\n", 20), (": a comment\nevent: a\r\ndata: b\rid: c\n\n", 20),
        ("\u{FEFF}data: abcd\n\n", 10), (":\n:\n:\ndata: x\n\n", 7), ("other: field\ndata\n\n", 16),
        ("data: x\n\ndata: xy\n\ndata: z\n\n", 8),
    ])
    func `the limit applies at the same byte with any sizes of chunks`(text: String, longest: Int) {
        for size in 1...text.utf8.count {
            for (limit, isBeyond) in [(longest, false), (longest - 1, true)] {
                var parser = EventParser()
                parser.eventLimit = limit
                for start in stride(from: 0, to: text.utf8.count, by: size) {
                    parser.add(Data(Array(text.utf8)[start..<min(start + size, text.utf8.count)]))
                    while parser.next() != nil {}
                }
                #expect(parser.isBeyondLimit == isBeyond && (isBeyond || parser.pendingCount == 0), "\(size)")
            }
        }
    }

    @Test func `an identifier applies from the end of its event, also without data`() {
        var (_, parser) = Self.events("id: 1\n\nid: 2\ndata: lost", inPiecesOf: 3)
        #expect(parser.lastEventID == "1")
        parser.reconnect()
        parser.add(Data("data: x\n\n".utf8))
        #expect(parser.next() == ServerSentEvent(data: "x", id: "1"))
    }

    @Test func `the identifier of the caller is the initial state`() {
        var parser = EventParser(lastEventID: "7")
        parser.add(Data("data: a\n\nid\ndata: b\n\n".utf8))
        #expect(parser.next() == ServerSentEvent(data: "a", id: "7"))
        #expect(parser.next() == ServerSentEvent(data: "b"))
        #expect(parser.lastEventID.isEmpty)
    }

    @Test(arguments: [true, false]) func `comments are delivered in order on request`(areWanted: Bool) {
        var parser = EventParser()
        parser.includesComments = areWanted
        parser.add(Data(": one\ndata: a\n:two\n\n:\n".utf8))
        #expect(parser.next() == ServerSentEvent(data: "a"))
        #expect(parser.takeComments() == (areWanted ? ["one", "two"] : []))
        #expect(parser.next() == nil)
        #expect(parser.takeComments() == (areWanted ? [""] : []))
        #expect(parser.takeComments().isEmpty)
    }
}
