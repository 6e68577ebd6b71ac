#if os(Linux)
#elseif os(macOS)
let seededMistake: Never = "macOS in place of Linux"
#endif
