#if !canImport(FoundationNetworking)
func seededMistake(_ socket: WebSocketTask) { socket.openNothing() }
#endif
