// Says: 'none' has been renamed to 'bypass'
import NetworkEngine

let endpoint = Endpoint.get("/users").cachePolicy(.none)
