import CTestLimits
import Testing

@Suite(.timeLimit(.minutes(10))) struct TestLimitsTests {
    @Test func `the tests may open more descriptors than a login shell permits`() {
        #expect(test_descriptor_limit() > 1_024)
    }

    @Test func `few tests run at the same time without an option`() {
        #expect(test_parallelization_width() > 0)
    }
}
