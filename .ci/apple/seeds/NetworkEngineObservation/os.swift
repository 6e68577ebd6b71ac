#if canImport(os)
import os
private func seededMistake(_ logger: Logger) { logger.shout("x") }
#endif
