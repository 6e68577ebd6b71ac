// What is newer than macOS 13, one kind in each line with a comment at its end: the compiler must find all of them.
import Foundation
import Observation
import Synchronization

struct Wrapped<Content> { let content: Content }
enum Fault: Error { case any }
func typedClosure(_ work: Wrapped<() throws(Fault) -> Int>) { print(type(of: work)) }  // a function type in a generic one
func failing(_ lines: any AsyncSequence<String, any Error>) {}  // the error of a sequence
func opaque(_ lines: some AsyncSequence<String, Never>) {}  // the same of an opaque one
struct Several<each Part> { let parts: (repeat each Part) }  // parameter packs in a type
func children() async { await withThrowingDiscarding() }
func withThrowingDiscarding() async { try? await withThrowingDiscardingTaskGroup { $0.addTask {} } }  // a task group
actor Room { var names: [String] = []; isolated deinit { names = [] } }  // a deinit on an actor
let counter = Atomic(0)  // an atomic value
let lock = Mutex("")  // a lock
func integers(_ text: String) -> Int128? { nil }  // integers of 128 bits
@available(macOS 14, *) @Observable final class Model { var text = "" }
func show(_ model: Model) {}  // a type with an availability of its own
func lenient(_ text: String) -> URL? { URL(string: text, encodingInvalidCharacters: true) }  // an initializer of Foundation
func start() { Task.immediate {} }  // a task that begins to run in its caller
func bytes(_ values: [UInt8]) -> Int { values.span.count }  // a span
func list(_ values: InlineArray<3, Int>) {}  // an array with a length in its type
