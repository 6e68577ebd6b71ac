import Foundation
import NetworkEngine

// Values of mixed types, everywhere parameters are accepted.

func parameters(kind: String?, page: Int) -> [NetworkTask] {
    let filter: Parameters = ["kind": kind, "page": page, "tags": ["a", "b"], "nothing": NSNull()]
    return [
        .requestParameters(parameters: filter, encoding: .query),
        .requestParameters(parameters: ["kind": kind, "page": page], encoding: .json),
        .requestParameters(parameters: ["filter": ["kind": "note", "page": 1] as Parameters], encoding: .json),
        .requestParameters(parameters: ["list": [1, "x", page] as [any Sendable]], encoding: .formBody),
        .requestCompositeParameters(bodyParameters: ["filter": filter], urlParameters: [:]),
    ]
}
