#if !canImport(FoundationNetworking)
func seededMistake(_ transfers: BackgroundTransfers) { transfers.startNothing() }
#endif
