#if !canImport(FoundationNetworking)
private func seededMistake(_ socket: WebSocketTask) { socket.openNothing() }
#endif
