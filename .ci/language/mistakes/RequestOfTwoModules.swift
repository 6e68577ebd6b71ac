// Says: 'HTTPRequest' is ambiguous for type lookup in this context
import HTTPTypes
import NetworkEngine

func send(_ request: HTTPRequest) {}
