// Exhaustive switches without a default: the compiler accepts them on Linux, and the check must find both.
import Foundation
import FoundationNetworking

func switched(_ task: URLSessionTask) -> Bool {
    switch task.state {
    case .running, .suspended: true
    case .canceling, .completed: false
    }
}
func nested(_ streams: [Stream]) -> [Bool] {
    streams.map {
        switch $0.streamStatus {
        case .notOpen, .opening, .open, .reading, .writing: true
        case .atEnd, .closed, .error: false
        }
    }
}

// And code that it must not report.
func hasDefault(_ task: URLSessionTask) -> Bool {
    switch task.state {
    case .running: true
    default: false
    }
}
func compared(_ task: URLSessionTask) -> Bool { task.state == .running }
