#if canImport(Glibc)
#elseif canImport(Darwin)
let seededMistake: Never = "Darwin in place of Glibc"
#endif
