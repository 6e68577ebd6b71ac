// Says: An optional can have no text
import NetworkEngine

func user(_ id: Int?) -> Endpoint { .get("/users/\(id)") }
