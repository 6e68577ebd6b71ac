#if os(Linux)
#elseif os(macOS)
private let seededMistake: Never = "macOS in place of Linux"
#endif
