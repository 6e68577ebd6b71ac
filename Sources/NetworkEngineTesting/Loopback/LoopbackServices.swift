/// What all connections of a server share.
struct LoopbackServices: Sendable {
    let configuration: LoopbackConfiguration
    let answers: LoopbackAnswers
    let log: LoopbackLog
    let mailbox: LoopbackMailbox
}
