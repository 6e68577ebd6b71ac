import TestSupport
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct ErrorFiguresTests {
    private let request = HTTPRequest(url: API.base)

    @Test func `reasons of one kind are equal whatever their figures are, and so are the errors`() {
        let errors = [3, 7].map { NetworkError.timedOut(after: .milliseconds($0), during: .connect, request) }
        #expect(errors[0].reason == errors[1].reason)
        #expect(errors[0] == errors[1])
        #expect(errors.map(\.figures.timeout) == [.milliseconds(3), .milliseconds(7)])
    }

    @Test func `the text for logs ends with the figures`() {
        let figures = ErrorFigures(
            timeSpent: TimeSpent(queue: .seconds(4)), timeout: .seconds(1), waiting: 2, byteCount: 3,
            expectedByteCount: 5)
        let error = NetworkError(kind: .limit, reason: "why", figures: figures)
        #expect(
            error.description
                == "Limit exceeded: why; queue 4.0 seconds, timeout 1.0 seconds, 2 waiting, 3 bytes, 5 bytes expected")
        #expect(!NetworkError(kind: .limit, reason: "why").description.contains(";"))
    }

    @Test func `an error keeps its figures when more is known about it`() {
        let error = NetworkError(kind: .limit, figures: ErrorFigures(waiting: 9))
        #expect(error.completed(request: request).figures.waiting == 9)
    }
}
