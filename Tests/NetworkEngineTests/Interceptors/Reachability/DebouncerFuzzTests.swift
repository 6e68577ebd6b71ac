import NetworkEngine
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct DebouncerFuzzTests {
    @Test func `in any order of changes what is reported has lasted`() {
        for seed in Schedules.seeds {
            var random = SeededGenerator(seed: seed)
            var debouncer = Debouncer(0)
            var latest = 0
            var timers: [Int] = []
            for _ in 0..<30 {
                if Bool.random(using: &random) {
                    latest = Int.random(in: 0..<3, using: &random)
                    if let timer = debouncer.saw(latest) { timers.append(timer) }
                } else if let timer = timers.popLast(), let value = debouncer.lasted(timer) {
                    guard value == latest else { return complain("seed \(seed)") }
                }
            }
            for timer in timers { _ = debouncer.lasted(timer) }
            guard debouncer.settled == latest else { return complain("seed \(seed)") }
        }
    }
}
