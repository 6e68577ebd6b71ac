/// Is told how far a call has come, for the error of one that is ended from outside.
package protocol CallLog: Sendable {
    func failed(_ attempt: Attempt)
}
