#if canImport(os)
import os
func seededMistake(_ logger: Logger) { logger.shout("x") }
#endif
