import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct AddressTextTests {
    @Test(arguments: [
        ("a%2Fb", "a/b"), ("a+b", "a b"), ("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("%+f", "% f"), ("%-0", "%-0"),
        ("%c3%BC", "ü"),
    ])
    func `two hexadecimal digits after a percent sign are an escape, and nothing else is`(text: String, plain: String) {
        #expect(AddressText.pairs(of: "name=\(text)").map(\.value) == [plain])
    }
}
