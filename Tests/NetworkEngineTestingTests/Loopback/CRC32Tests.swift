import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct CRC32Tests {
    @Test func `the checksum of zeros is that of counting them out`() {
        #expect(CRC32.of(Array("123456789".utf8)) == 0xCBF4_3926)
        for count in [0, 1, 2, 255, 1000] {
            #expect(CRC32.ofZeros(count: count) == CRC32.of([UInt8](repeating: 0, count: count)))
        }
    }
}
