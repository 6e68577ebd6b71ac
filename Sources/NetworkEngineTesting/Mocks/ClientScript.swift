/// What a mock client was asked and what it will answer: pure, with no effect but on itself.
struct ClientScript<Call> {
    var answers: [ClientAnswer] = []
    /// Given when the answers are used up.
    var standing: ClientAnswer?
    private(set) var calls: [Call] = []

    /// Records a call and takes its answer.
    mutating func answer(to call: Call) -> ClientAnswer? {
        calls.append(call)
        return answers.isEmpty ? standing : answers.removeFirst()
    }
}
