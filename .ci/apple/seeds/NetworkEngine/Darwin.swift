#if canImport(Glibc)
#elseif canImport(Darwin)
private let seededMistake: Never = "Darwin in place of Glibc"
#endif
