#if !canImport(FoundationNetworking)
private let seededMistake: Never = "no FoundationNetworking"
#endif
