import NetworkEngine
import Testing

@Suite(.timeLimit(.minutes(5))) struct LatencyWindowTests {
    private func window(_ milliseconds: some Sequence<Int>) -> LatencyWindow {
        milliseconds.reduce(into: LatencyWindow()) { $0.add(.milliseconds($1)) }
    }

    @Test func `it says nothing while it knows too little`() {
        #expect(window(1...19).time(ofPart: 0.95) == nil)
        #expect(window(1...20).time(ofPart: 0.95) == .milliseconds(20))
    }

    @Test(arguments: [(0.0, 1), (0.5, 51), (0.95, 96), (1.0, 100), (7.0, 100), (-1.0, 1)])
    func `the part of the answers that came within a time`(part: Double, milliseconds: Int) {
        #expect(window((1...100).reversed()).time(ofPart: part) == .milliseconds(milliseconds))
    }

    @Test func `what was long ago does not count`() {
        #expect(
            window(Array(repeating: 900, count: 500) + Array(repeating: 1, count: 128)).time(ofPart: 1)
                == .milliseconds(1))
    }

    @Test func `no number as a part says nothing`() {
        #expect(window(1...100).time(ofPart: .nan) == nil)
    }
}
