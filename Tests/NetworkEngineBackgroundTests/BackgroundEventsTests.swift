import Testing

@testable import NetworkEngine
@testable import NetworkEngineBackground

@Suite(.timeLimit(.minutes(5))) struct BackgroundEventsTests {
    @Test func `the handler is called when all events have arrived`() {
        var events = BackgroundEvents<String>()
        let early = events.woken("a")
        events.eventArrived()
        let late = events.allDelivered()
        let again = events.allDelivered()
        #expect(early == [])
        #expect(late == ["a"])
        #expect(again == [])
    }

    @Test func `a handler that comes after the last event is called at once`() {
        var events = BackgroundEvents<String>()
        events.eventArrived()
        let none = events.allDelivered()
        let now = events.woken("a")
        let next = events.woken("b")
        #expect(none == [])
        #expect(now == ["a"])
        #expect(next == [])
    }

    @Test func `a handler waits if events have arrived since the last were delivered`() {
        var events = BackgroundEvents<String>()
        _ = events.allDelivered()
        events.eventArrived()
        let early = events.woken("a")
        let late = events.allDelivered()
        #expect(early == [])
        #expect(late == ["a"])
    }

    @Test func `every handler is called`() {
        var events = BackgroundEvents<String>()
        _ = events.woken("a")
        _ = events.woken("b")
        let all = events.allDelivered()
        #expect(all == ["a", "b"])
    }
}
