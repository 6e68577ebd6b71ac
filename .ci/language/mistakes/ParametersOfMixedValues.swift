// Error: type 'Any' does not conform to the 'Sendable' protocol
import NetworkEngine

let parameters: Parameters = ["filter": ["kind": "note", "page": 1]]
