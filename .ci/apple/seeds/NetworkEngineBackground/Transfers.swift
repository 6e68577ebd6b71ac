#if !canImport(FoundationNetworking)
private func seededMistake(_ transfers: BackgroundTransfers) { transfers.startNothing() }
#endif
