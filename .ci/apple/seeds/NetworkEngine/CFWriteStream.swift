#if !canImport(FoundationNetworking)
import Foundation
private func seededMistake(_ output: OutputStream) { CFWriteStreamSetDispatchQueue(output, nil) }
#endif
