import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache
@testable import NetworkEngineTesting

/// Checks the rules on random responses and requests, with properties that hold for all of them.
@Suite(.timeLimit(.minutes(5)), .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct CachePropertyTests {
    private struct Random {
        var generator: SeededGenerator

        mutating func pick(_ values: [String], at most: Int = 3) -> String {
            let count = Int.random(in: 0...most, using: &generator)
            return (0..<count).compactMap { _ in values.randomElement(using: &generator) }.joined(separator: ", ")
        }

        mutating func number(_ range: ClosedRange<Int64> = -100...100) -> Int64 {
            .random(in: range, using: &generator)
        }

        mutating func headers() -> HTTPHeaders {
            var headers: HTTPHeaders = [
                "Cache-Control": pick([
                    "max-age=\(number())", "max-age=50", "no-cache", "must-revalidate", "immutable", "public",
                    "private",
                    "stale-while-revalidate=\(number(0...50))", "stale-if-error=\(number(0...50))", "s-maxage=99",
                    "proxy-revalidate", "no-store", "x=\"max-age=9\"", "",
                ])
            ]
            let others = [
                ("Date", String.date(number())), ("Age", "\(number())"), ("Expires", .date(number())), ("Expires", "0"),
                ("Last-Modified", .date(number(-2000...10))), ("ETag", "\"a\""),
                ("Vary", pick(["Foo", "*", "Bar"], at: 1)),
            ]
            for (name, value) in others where Bool.random(using: &generator) { headers.add(value, for: name) }
            return headers
        }

        mutating func wishes() -> HTTPHeaders {
            let control = pick(
                [
                    "max-age=\(number(0...80))", "max-stale=\(number(0...50))", "max-stale",
                    "min-fresh=\(number(0...50))",
                    "no-cache", "no-store", "only-if-cached",
                ], at: 2)
            return control.isEmpty ? [:] : ["Cache-Control": control]
        }
    }

    @Test(arguments: 0..<8) func `a stale response is used only with a permission`(seed: UInt64) throws {
        var random = Random(generator: SeededGenerator(seed: seed))
        var uses = 0
        for _ in 0..<TestLength.part(of: 1000) {
            let request = HTTPRequest.cached(random.wishes())
            let headers = random.headers()
            guard let stored = StoredResponse.storing(headers, to: request) ?? .storing(headers) else { continue }
            let now = Date.sample(Double(random.number(-70...200)))
            let policies: [CachePolicy] = [.useProtocol, .useProtocol, .cacheFirst, .cacheOnly, .reload, .bypass]
            let policy = policies[Int(random.number(0...5))]
            let decision = CacheRules(policy: policy).decision(for: request, stored: [stored], now: now)
            guard case .use(let use) = decision else { continue }
            uses += 1
            let (server, client) = (CacheControl(response: stored.headers), CacheControl(request: request.headers))
            let freshness = Freshness(of: stored, at: now)
            #expect(!server.isNoCache && !client.isNoStore && policy != .reload && policy != .bypass)
            #expect(use.isStale == !freshness.isFresh)
            guard use.isStale else { continue }
            #expect(!server.mustRevalidate)
            guard policy == .useProtocol else { continue }
            let limits = [client.maxStale, server.staleWhileRevalidate].compactMap(\.self).max() ?? -1
            #expect(freshness.staleness <= Double(limits))
            #expect(!freshness.isFromFuture)
        }
        #expect(uses > TestLength.part(of: 20))
    }

    @Test(arguments: 0..<4) func `a 304 is idempotent and keeps every other field`(seed: UInt64) {
        var random = Random(generator: SeededGenerator(seed: seed))
        for _ in 0..<TestLength.part(of: 500) {
            let stored = StoredResponse.sample(random.headers())
            let update = random.headers()
            guard let once = stored.updated(by: update, requestTime: .sample(3), responseTime: .sample(4)) else {
                continue
            }
            #expect(once.updated(by: update, requestTime: .sample(3), responseTime: .sample(4)) == once)
            for field in stored.headers where !update.contains(field.name) && !["Age", "Date"].contains(field.name) {
                #expect(once.headers.contains(field))
            }
            for field in update { #expect(once.headers.contains(field)) }
        }
    }

    @Test(arguments: 0..<4) func `no field of a response or a request stops the process`(seed: UInt64) {
        var random = Random(generator: SeededGenerator(seed: seed))
        let alphabet = Array("\"\\,;=-/*% \t09aWé:")
        let text = { (random: inout Random) -> String in
            String((0..<random.number(0...20)).compactMap { _ in alphabet.randomElement(using: &random.generator) })
        }
        let names = [
            "Cache-Control", "Expires", "Date", "Age", "ETag", "Last-Modified", "Vary", "Content-Range",
            "Content-Length",
            "Range", "If-Range", "If-None-Match", "If-Modified-Since", "Location", "Connection", "Clear-Site-Data",
        ]
        for _ in 0..<TestLength.part(of: 500) {
            var headers: HTTPHeaders = ["Cache-Control": "max-age=60"]
            for name in names where Bool.random(using: &random.generator) { headers.add(text(&random), for: name) }
            let status = Int(random.number(100...700))
            let request = HTTPRequest.cached(headers)
            let stored =
                StoredResponse.storing(headers, status: status, to: request) ?? .sample(headers, status: status)
            _ = CacheRules().decision(for: request, stored: [stored], now: .sample(Double(random.number())))
            _ = stored.updated(by: headers, requestTime: .sample(), responseTime: .sample())
            _ = stored.head(of: .whole, now: .sample())
            _ = PartialContent(stored: stored, received: stored)
            _ = Invalidation.keys(after: .cached(method: .post), statusCode: 200, headers: headers)
            _ = ClearSiteData(headers, from: request.url)
        }
    }
}
