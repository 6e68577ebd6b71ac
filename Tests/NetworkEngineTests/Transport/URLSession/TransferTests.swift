import NetworkEngine
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct TransferTests {
    private func running(limit: Int64 = .max, followsRedirects: Bool = false) -> Transfer {
        var transfer = Transfer(limit: limit, followsRedirects: followsRedirects)
        _ = transfer.begin()
        _ = transfer.admitted()
        _ = transfer.resumed()
        return transfer
    }

    private func head(_ status: Int, _ headers: HTTPHeaders = [:]) -> ResponseHead {
        ResponseHead(statusCode: status, headers: headers)
    }

    @Test func `a head, a body and the end are a success, which frees the place`() {
        var transfer = running()
        let answer = transfer.responded(head(200))
        #expect(answer.startsBody)
        let secondAnswer = transfer.receivedBytes(5)
        #expect(secondAnswer.keeps)
        let effects = transfer.completed(withError: false)
        #expect(effects == Transfer.Effects(outcome: .success, freesPlace: true))
    }

    @Test(arguments: [true, false])
    func `a streamed response gives the place back once, with its head unless it keeps it`(keepsPlace: Bool) {
        var transfer = Transfer(limit: .max, canStream: true, keepsPlace: keepsPlace)
        _ = transfer.begin()
        _ = transfer.admitted()
        _ = transfer.resumed()
        let atHead = transfer.responded(head(200)).effects
        #expect(atHead.freesPlace == !keepsPlace)
        let atEnd = transfer.completed(withError: false)
        #expect(atEnd.freesPlace == keepsPlace)
    }

    @Test func `stopped before anybody waits, it never enters the queue`() {
        var transfer = Transfer(limit: .max)
        let effects = transfer.stop(.cancelled)
        #expect(effects.outcome == .stopped(.cancelled, during: .queue))
        let enters = transfer.begin()
        #expect(!enters)
    }

    @Test func `stopped in the queue, it leaves at once and does not start when its place comes all the same`() {
        var transfer = Transfer(limit: .max)
        _ = transfer.begin()
        let expected = Transfer.Effects(outcome: .stopped(.interrupted, during: .queue), leavesQueue: true)
        let effects = transfer.stop(.interrupted)
        #expect(effects == expected)
        let starts = transfer.admitted()
        #expect(!starts)
    }

    @Test func `stopped while it is put into the queue, it is taken out after`() {
        var transfer = Transfer(limit: .max)
        _ = transfer.begin()
        _ = transfer.stop(.cancelled)
        #expect(transfer.enqueued().leavesQueue)
    }

    @Test func `rule 3: the task is not cancelled before resume has returned`() {
        var transfer = Transfer(limit: .max)
        _ = transfer.begin()
        _ = transfer.admitted()
        let effects = transfer.stop(.cancelled)
        #expect(effects == Transfer.Effects(outcome: .stopped(.cancelled, during: .response)))
        #expect(!transfer.canStopTask)
        let secondEffects = transfer.resumed()
        #expect(secondEffects == Transfer.Effects(stopsTask: true))
        #expect(transfer.canStopTask)
    }

    @Test func `rule 3: the task is cancelled once, and not after its end`() {
        var transfer = running()
        let effects = transfer.stop(.cancelled)
        #expect(effects.stopsTask)
        let secondEffects = transfer.stop(.interrupted)
        #expect(secondEffects == Transfer.Effects())
        let thirdEffects = transfer.completed(withError: true)
        #expect(thirdEffects == Transfer.Effects(freesPlace: true))
        #expect(!transfer.canStopTask)
    }

    @Test func `ended before resume returned, it is not cancelled any more`() {
        var transfer = Transfer(limit: .max)
        _ = transfer.begin()
        _ = transfer.admitted()
        _ = transfer.stop(.cancelled)
        _ = transfer.completed(withError: true)
        let effects = transfer.resumed()
        #expect(effects == Transfer.Effects())
    }

    @Test func `rule 4: a redirect is not answered once cancelling has begun`() {
        var transfer = running()
        #expect(transfer.canAnswerRedirect)
        _ = transfer.stop(.cancelled)
        #expect(!transfer.canAnswerRedirect)
    }

    @Test func `rule 5: a cancellation that follows a challenge is the 401 itself`() {
        var transfer = running()
        _ = transfer.responded(head(401, ["Content-Length": "6"]))
        _ = transfer.receivedBytes(6)
        transfer.challenged()
        let effects = transfer.completed(withError: true, sayingCancelled: true)
        #expect(effects.outcome == .success)
    }

    @Test func `L15: a foreign cancellation is a failure`() {
        var transfer = running()
        _ = transfer.responded(head(200))
        let effects = transfer.completed(withError: true, sayingCancelled: true)
        #expect(effects.outcome == .failed)
    }

    @Test func `rule 9: every further head starts the body anew`() {
        var transfer = running()
        _ = transfer.responded(head(401))
        _ = transfer.receivedBytes(5)
        let answer = transfer.responded(head(200, ["Content-Length": "2"]))
        #expect(answer.startsBody)
        _ = transfer.receivedBytes(2)
        #expect(transfer.received == 2)
        let effects = transfer.completed(withError: false)
        #expect(effects.outcome == .success)
    }

    @Test func `L11: interim heads are ignored, and alone they are no response`() {
        var transfer = running()
        let answer = transfer.responded(head(103))
        #expect(!answer.startsBody)
        let effects = transfer.completed(withError: false)
        #expect(effects.outcome == .noResponse)
    }

    @Test func `L11: switching protocols is a violation`() {
        var transfer = running()
        let effects = transfer.responded(head(101)).effects
        #expect(effects.stopsTask)
        guard case .stopped(.violation, _) = effects.outcome else { return #expect(Bool(false), "\(effects)") }
    }

    @Test func `fewer bytes than announced are not a success`() {
        var transfer = running()
        _ = transfer.responded(head(200, ["Content-Length": "10"]))
        _ = transfer.receivedBytes(9)
        let effects = transfer.completed(withError: false)
        #expect(effects.outcome == .truncated)
    }

    @Test func `a body is stopped at the byte beyond its limit, and an announced one at its head`() {
        var transfer = running(limit: 4)
        _ = transfer.responded(head(200))
        let answer = transfer.receivedBytes(4)
        #expect(answer.keeps)
        let secondAnswer = transfer.receivedBytes(1)
        #expect(secondAnswer.effects.outcome == .stopped(.tooLarge(limit: 4), during: .body))
        var announced = running(limit: 4)
        let effects = announced.responded(head(200, ["Content-Length": "5"])).effects
        #expect(effects.outcome == .stopped(.tooLarge(limit: 4), during: .body))
    }

    @Test func `what comes after the outcome is dropped`() {
        var transfer = running()
        _ = transfer.responded(head(200))
        _ = transfer.stop(.cancelled)
        let answer = transfer.receivedBytes(5)
        #expect(!answer.keeps)
        let secondAnswer = transfer.responded(head(200))
        #expect(!secondAnswer.startsBody)
        #expect(transfer.received == 0)
    }

    @Test func `L7: a body that the platform wants again goes into a new task, in the same place`() {
        var transfer = running()
        #expect(transfer.lostItsConnection() == Transfer.Effects(stopsTask: true))
        let effects = transfer.completed(withError: true, sayingCancelled: true, mustResend: true)
        #expect(effects == Transfer.Effects(startsAgain: true))
        #expect(!transfer.canStopTask)
        _ = transfer.resumed()
        _ = transfer.responded(head(200))
        let effects1 = transfer.completed(withError: false)
        #expect(effects1.outcome == .success)
    }

    @Test func `L7: a body is not sent again for ever, nor for nobody`() {
        var transfer = running()
        for _ in 0..<5 { _ = transfer.completed(withError: true, mustResend: true) }
        let effects2 = transfer.completed(withError: true, mustResend: true)
        #expect(effects2.outcome == .failed)
        var stopped = running()
        _ = stopped.lostItsConnection()
        #expect(!stopped.stop(.cancelled).stopsTask)
        #expect(stopped.completed(withError: true, mustResend: true) == Transfer.Effects(freesPlace: true))
    }

    private static let redirect = ResponseHead(
        statusCode: 302, headers: ["Location": "/", "Content-Length": "100000", "Content-Encoding": "nonsense"])

    @Test func `a redirect that is followed succeeds with its head, whatever its body would be`() {
        var transfer = running(limit: 10, followsRedirects: true)
        let answer = transfer.responded(Self.redirect)
        #expect(answer.effects == Transfer.Effects(outcome: .success, drains: true))
        let bytes = transfer.receivedBytes(60_000)
        #expect(!bytes.keeps && bytes.effects == Transfer.Effects())
        let end = transfer.completed(withError: true)
        #expect(end == Transfer.Effects(freesPlace: true))
        let late = transfer.stopDraining()
        #expect(late == Transfer.Effects())
    }

    @Test func `what is left of a redirect is dropped when there is much of it, or after a moment`() {
        var large = running(followsRedirects: true)
        _ = large.responded(Self.redirect)
        let first = large.receivedBytes(70_000)
        let second = large.receivedBytes(70_000)
        #expect(first.effects.stopsTask && !second.effects.stopsTask)
        var slow = running(followsRedirects: true)
        _ = slow.responded(Self.redirect)
        let moment = slow.stopDraining()
        #expect(moment.stopsTask && slow.canStopTask)
    }

    @Test func `a redirect that is not followed is a response like any other`() {
        var transfer = running()
        let answer = transfer.responded(head(302, ["Location": "/"]))
        #expect(answer.startsBody && answer.effects == Transfer.Effects())
        var following = running(followsRedirects: true)
        let leadsNowhere = following.responded(head(302, ["Location": ""]))
        #expect(leadsNowhere.effects == Transfer.Effects())
    }

    @Test func `any order of events gives exactly one outcome, frees a place once and stops a task once at most`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            var transfer = Transfer(limit: 3, followsRedirects: Bool.random(using: &random))
            var effects: [Transfer.Effects] = []
            var isAdmitted = false
            for step in 0..<4 where !isAdmitted || step == 0 {
                if Int.random(in: 0..<3, using: &random) == 0 { effects.append(transfer.stop(.cancelled)) }
                if step == 0, !transfer.begin() { break }
                if step == 1 { isAdmitted = transfer.admitted() }
            }
            guard isAdmitted else {
                if effects.compactMap(\.outcome).isEmpty { effects.append(transfer.stop(.shutDown)) }
                #expect(effects.compactMap(\.outcome).count == 1)
                continue
            }
            var isResumed = false
            for _ in 0..<Int.random(in: 0..<8, using: &random) {
                switch Int.random(in: 0..<7, using: &random) {
                case 0: effects.append(transfer.stop(.interrupted))
                case 1 where !isResumed:
                    isResumed = true
                    effects.append(transfer.resumed())
                case 2:
                    effects.append(
                        transfer.responded(head([100, 101, 200, 401].randomElement(using: &random) ?? 200)).effects)
                case 3: effects.append(transfer.receivedBytes(1).effects)
                case 4: effects.append(transfer.responded(Self.redirect).effects)
                case 5: effects.append(transfer.stopDraining())
                default: transfer.challenged()
                }
            }
            effects.append(transfer.completed(withError: Bool.random(using: &random), sayingCancelled: true))
            effects.append(transfer.stop(.cancelled))
            if !isResumed { effects.append(transfer.resumed()) }
            #expect(effects.compactMap(\.outcome).count == 1)
            #expect(effects.filter(\.freesPlace).count == 1)
            #expect(effects.filter(\.stopsTask).count <= 1)
        }
    }
}
