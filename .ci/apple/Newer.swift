// APIs newer than macOS 13, one kind on each line with a trailing comment: the compiler must find all of them.
import Foundation
import Observation
import Synchronization

struct Wrapped<Content> { let content: Content }
enum Fault: Error { case any }
func typedClosure(_ work: Wrapped<() throws(Fault) -> Int>) { print(type(of: work)) }  // a function type as a generic argument
func failing(_ lines: any AsyncSequence<String, any Error>) {}  // a sequence's error type
func opaque(_ lines: some AsyncSequence<String, Never>) {}  // the same for an opaque type
struct Several<each Part> { let parts: (repeat each Part) }  // a type with a parameter pack
func children() async { await withThrowingDiscarding() }
func withThrowingDiscarding() async { try? await withThrowingDiscardingTaskGroup { $0.addTask {} } }  // a task group
actor Room { var names: [String] = []; isolated deinit { names = [] } }  // an isolated deinit
let counter = Atomic(0)  // an atomic value
let lock = Mutex("")  // a lock
func integers(_ text: String) -> Int128? { nil }  // 128-bit integers
@available(macOS 14, *) @Observable final class Model { var text = "" }
func show(_ model: Model) {}  // a type with its own availability
func lenient(_ text: String) -> URL? { URL(string: text, encodingInvalidCharacters: true) }  // a Foundation initializer
func start() { Task.immediate {} }  // a task that starts in its caller
func bytes(_ values: [UInt8]) -> Int { values.span.count }  // a span
func list(_ values: InlineArray<3, Int>) {}  // an array with its length in the type
