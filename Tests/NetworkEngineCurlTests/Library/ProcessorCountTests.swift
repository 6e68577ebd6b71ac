import CLibcurl
import Testing

@Suite struct ProcessorCountTests {
    @Test func `a quota of a control group is rounded up to whole processors`() {
        #expect(lc_processors_of_quota("150000 100000\n", nil) == 2)
        #expect(lc_processors_of_quota("200000 100000\n", nil) == 2)
        #expect(lc_processors_of_quota("1000 100000\n", nil) == 1)
        #expect(lc_processors_of_quota("250000\n", "100000\n") == 3)
    }

    @Test(arguments: ["max 100000\n", "-1\n", "", "0 100000", "100000", "100000 0", "100000 -1"])
    func `a group without a quota limits nothing`(text: String) {
        #expect(lc_processors_of_quota(text, nil) == 0)
    }

    @Test func `a quota of any size is a count`() {
        #expect(lc_processors_of_quota("9223372036854775807 1", nil) == 1 << 20)
        #expect(lc_processors_of_quota("99999999999999999999999 99999999999999999999999", nil) == 1)
    }

    #if os(Linux)
    @Test func `a process has at least one processor`() {
        #expect(lc_processors() >= 1)
    }
    #endif
}
