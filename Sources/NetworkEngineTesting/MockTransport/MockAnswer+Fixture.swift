import Foundation
public import NetworkEngine

extension MockAnswer {
    /// A fixture file: its bytes are the body, or it describes the whole response.
    ///
    /// A file whose name ends in `.response.json` may say more:
    /// ```json
    /// { "status": 201, "headers": { "ETag": "x" }, "delay": 0.5, "body": { "id": {{id}}, "page": {{query.page}} } }
    /// { "sequence": [ { "status": 503 }, { "text": "hello" }, { "file": "User.json" } ] }
    /// ```
    /// Places in double braces are filled with the values given here, the segments that the rule's path names, and query
    /// items; any other file is a template only when there are values. A sequence is as many answers. A missing or bad
    /// file fails the request with an error that names file, line and place.
    ///
    /// - Parameters:
    ///   - values: what fills places, before anything that the request has.
    ///   - status: stands over what the file says.
    ///   - headers: are set over what the file says.
    public static func fixture(
        _ name: String,
        in loader: FixtureLoader,
        values: [String: String] = [:],
        status: Int? = nil,
        headers: HTTPHeaders = [:]
    ) -> MockAnswer {
        do throws(FixtureError) {
            let file = try loader.file(name)
            // A zero fits in a number's place and in a string's: the file's own faults show before the first request.
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
    /// What fills a place in a fixture.
    fileprivate func value(named name: String) -> String? {
        guard name.hasPrefix("query.") else { return parameters[name] }
        return MockAddress(request.url).items.first { $0.name == name.dropFirst(6) }?.value
    }
}
