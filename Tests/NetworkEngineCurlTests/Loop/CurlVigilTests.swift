import NetworkEngineCurl
import Testing

@Suite(.timeLimit(.minutes(5))) struct CurlVigilTests {
    private let start = ContinuousClock.now
    private let soon = CurlVigil.limit / 2
    private let late = CurlVigil.limit * 2

    /// A vigil after requests that came so long after the end before them, and another end at `start`.
    private func vigil(after pauses: [Duration]) -> CurlVigil {
        var vigil = CurlVigil()
        for pause in pauses {
            vigil.ended(at: start)
            vigil.began(at: start + pause)
        }
        vigil.ended(at: start)
        return vigil
    }

    @Test func `nobody stays awake before an exchange has ended, or after the next has begun`() {
        #expect(!CurlVigil().isOn(at: start))
        var vigil = vigil(after: [])
        #expect(vigil.isOn(at: start))
        vigil.began(at: start + soon)
        #expect(!vigil.isOn(at: start + soon))
    }

    @Test func `a request that does not come is waited for no longer than being woken takes`() {
        let vigil = vigil(after: [soon, soon])
        #expect(vigil.isOn(at: start + soon))
        #expect(!vigil.isOn(at: start + CurlVigil.limit))
    }

    @Test func `where requests come late, nobody waits for the next, until they come soon again`() {
        #expect(!vigil(after: [late]).isOn(at: start))
        #expect(!vigil(after: [late, late, late]).isOn(at: start))
        #expect(vigil(after: [late, late, late, soon]).isOn(at: start))
    }

    @Test func `one late request after many soon ones changes nothing, many of them do`() {
        let many = Array(repeating: soon, count: 100)
        #expect(vigil(after: many + [late]).isOn(at: start))
        #expect(!vigil(after: many + Array(repeating: late, count: 4)).isOn(at: start))
    }
}
