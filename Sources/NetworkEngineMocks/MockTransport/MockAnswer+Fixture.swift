import Foundation
public import NetworkEngine

extension MockAnswer {
    /// Answers with a fixture file, which is the body or describes the whole response.
    ///
    /// A file with a name ending in `.response.json` describes the response:
    /// ```json
    /// { "status": 201, "headers": { "ETag": "x" }, "delay": 0.5, "body": { "id": {{id}}, "page": {{query.page}} } }
    /// { "sequence": [ { "status": 503 }, { "text": "hello" }, { "file": "User.json" } ] }
    /// ```
    /// Placeholders in double braces are replaced with the given values, the named segments of the rule's path, and
    /// query items. Any other file is a template only if you pass values. Each response in a sequence counts as one
    /// answer. If the file is missing or invalid, the request fails with an error that contains the file, line and
    /// path.
    ///
    /// - Parameters:
    ///   - values: The values of placeholders. They take precedence over the request's values.
    ///   - status: Replaces the file's status.
    ///   - headers: Replace the file's headers with the same names.
    public static func fixture(
        _ name: String,
        in loader: FixtureLoader,
        values: [String: String] = [:],
        status: Int? = nil,
        headers: HTTPHeaders = [:]
    ) -> MockAnswer {
        do throws(FixtureError) {
            let file = try loader.file(name)
            // Zero is valid as a number and within a string, so mistakes in the file are found before the first
            // request.
            let count = try ResponseFixture.all(in: file, isTemplate: !values.isEmpty) { _ in "0" }.count
            let answer = MockAnswer(
                .computed { call in
                    do throws(FixtureError) {
                        let responses = try ResponseFixture.all(in: file, isTemplate: !values.isEmpty) { name in
                            values[name] ?? call.value(named: name)
                        }
                        return responses[call.use % responses.count].answer(status: status, headers: headers)
                    } catch {
                        return failure(error)
                    }
                }
            )
            return answer.repeating(count)
        } catch {
            return failure(error)
        }
    }

    private static func failure(_ error: FixtureError) -> MockAnswer {
        failure(NetworkError(kind: .transport, reason: error.description, underlying: error))
    }
}

extension ResponseFixture {
    fileprivate func answer(status: Int?, headers: HTTPHeaders) -> MockAnswer {
        let headers = self.headers.merging(headers)
        return .data(body, status: status ?? self.status, headers: headers).delayed(by: delay)
    }
}

extension MockCall {
    /// The value of a placeholder in a fixture.
    fileprivate func value(named name: String) -> String? {
        guard name.hasPrefix("query.") else { return parameters[name] }
        return MockAddress(request.url).items.first { $0.name == name.dropFirst(6) }?.value
    }
}
