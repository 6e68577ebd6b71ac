#if !canImport(FoundationNetworking)
import Foundation
import NetworkEngine

private func seededMistake() { CFRunLoopWakeUp(loop: CFRunLoopGetCurrent()) }
#endif
