import Testing

@testable import NetworkEngine

@Suite struct RandomNumbersTests {
    @Test func `numbers do not repeat, and each bit is set about half of the time`() {
        let numbers = RandomNumbers()
        let sample = (0..<10_000).map { _ in numbers.next() }
        #expect(Set(sample).count == sample.count)
        for bit in 0..<64 {
            let count = sample.count { $0 >> UInt64(bit) & 1 == 1 }
            #expect((4_600...5_400).contains(count))
        }
    }

    @Test func `two generators yield different numbers`() {
        let (first, second) = (RandomNumbers(), RandomNumbers())
        let numbers = (0..<100).map { _ in first.next() }
        #expect(Set(numbers).isDisjoint(with: (0..<100).map { _ in second.next() }))
    }
}
