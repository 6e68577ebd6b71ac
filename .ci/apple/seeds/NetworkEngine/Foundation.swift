#if !canImport(FoundationNetworking)
let seededMistake: Never = "no FoundationNetworking"
#endif
