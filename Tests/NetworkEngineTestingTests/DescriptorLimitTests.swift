import CDescriptorLimit
import Testing

@Suite(.timeLimit(.minutes(1))) struct DescriptorLimitTests {
    @Test func `the tests may open more descriptors than a login shell permits`() {
        #expect(descriptor_limit() > 1_024)
    }
}
