import NetworkEngine

extension GraphQLOperation {
    /// Returns the operation with `null` at the path of each file. Throws `.encoding` for an invalid path, and for one
    /// that equals or extends another file's path.
    func replacingUploadsWithNull() throws(NetworkError) -> GraphQLOperation {
        var operation = self
        var variables = GraphQLVariable.object(operation.variables ?? [:])
        var places: [[String]] = []
        for upload in uploads {
            let steps = upload.path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard steps.first == "variables", steps.count > 1, !steps.contains(""), variables.setNull(steps.dropFirst())
            else {
                let reason = "the operation has no value at the upload's path \(upload.path.debugDescription)"
                throw NetworkError(kind: .encoding, reason: reason)
            }
            if let other = places.first(where: { $0.starts(with: steps) || steps.starts(with: $0) }) {
                let paths = [other.joined(separator: "."), upload.path].map(\.debugDescription)
                let reason = "two uploads have the same place: \(paths[0]) and \(paths[1])"
                throw NetworkError(kind: .encoding, reason: reason)
            }
            places.append(steps)
        }
        if case .object(let members) = variables { operation.variables = members }
        return operation
    }
}

extension GraphQLVariable {
    /// Sets the value at a path to `null` and creates missing objects. Returns `false` for an invalid path.
    fileprivate mutating func setNull(_ steps: ArraySlice<String>) -> Bool {
        guard let step = steps.first else {
            self = .null
            return true
        }
        switch self {
        case .list(var values):
            guard let index = Int(step), values.indices.contains(index) else { return false }
            guard values[index].setNull(steps.dropFirst()) else { return false }
            self = .list(values)
            return true
        case .object(var members):
            guard members[step, default: .null].setNull(steps.dropFirst()) else { return false }
            self = .object(members)
            return true
        // Only the caller knows the length of a list.
        case .null where Int(step) == nil:
            self = .object([:])
            return setNull(steps)
        default: return false
        }
    }
}
