#if canImport(Android)
import Android

func seed() { _ = closed(0) }
#endif
