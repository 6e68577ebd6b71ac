import Foundation
import NetworkEngine
import NetworkEngineStreams
import NetworkEngineTesting
import Testing

/// The app module as its own tests use it: the real service over a scripted transport.
@Suite(.timeLimit(.minutes(10))) struct AppModuleTests {
    private let server = MockTransport()
    private let tokens = #"{"accessToken": "new", "refreshToken": "r2", "expiresIn": 3600}"#

    private func service(signedIn: Bool = true) -> ContactService {
        var configuration = NetworkConfiguration()
        configuration.transport = server
        let token = signedIn ? BearerToken("old", refreshToken: "r1") : nil
        return ContactService(
            in: AppEnvironment("https://staging.contacts.example/v2", configuration: configuration),
            store: InMemoryCredentialStore(token)
        )
    }

    @Test func `a user signs in, and later calls carry the token and the common headers`() async throws {
        server.on(.post, "**/session").answers(.json(tokens))
        server.on(.get, "**/contacts/7").answers(.json(#"{"id": 7, "name": "Ada"}"#))
        let service = service(signedIn: false)
        try await service.signIn(name: "ada", password: "secret")
        let contact = try await service.contact(7)
        #expect(contact.name == "Ada")
        let sent = try #require(server.requests.last)
        #expect(sent.url.absoluteString == "https://staging.contacts.example/v2/contacts/7")
        #expect(sent.headers["Authorization"] == "Bearer new" && sent.headers["X-App-Version"] == "2.1")
        #expect(server.requests.first?.headers["Authorization"] == nil)
    }

    @Test func `an expired token is refreshed at the staging server, and the call is sent again`() async throws {
        server.on(.get, "**/contacts/7").answers(.status(401), .json(#"{"id": 7, "name": "Ada"}"#))
        server.on(.post, "**/session/refresh", json: #"{"refreshToken": "r1"}"#).answers(.json(tokens))
        let contact = try await service().contact(7)
        #expect(contact.id == 7)
        let hosts = Set(server.requests.compactMap { $0.url.host })
        #expect(server.requests.count == 3 && hosts == ["staging.contacts.example"])
    }

    @Test func `a search is read page by page`() async throws {
        server.on(.get, "**/contacts", query: ["search": "a", "page": "1"])
            .answers(.json(#"{"contacts": [{"id": 1, "name": "Ada"}], "next": 2}"#))
        server.on(.get, "**/contacts", query: ["search": "a", "page": "2"])
            .answers(.json(#"{"contacts": [{"id": 2, "name": "Alan"}], "next": null}"#))
        var names: [String] = []
        for try await page in service().pages(search: "a") { names += page.contacts.map(\.name) }
        #expect(names == ["Ada", "Alan"])
    }

    @Test func `the list loads, continues, deletes and searches again`() async throws {
        server.on(.get, "**/contacts", query: ["search": ""])
            .answers(.json(#"{"contacts": [{"id": 1, "name": "Ada"}, {"id": 2, "name": "Eve"}], "next": null}"#))
        server.on(.delete, "**/contacts/2").answers(.status(204))
        server.on(.get, "**/contacts", query: ["search": "z"]).answers(.status(503))
        let model = await ContactListModel(service: service())
        await model.loadMore()
        let eve = try #require(await model.contacts.last)
        await model.delete(eve)
        await model.loadMore()
        let (names, hasMore) = await (model.contacts.map(\.name), model.hasMore)
        #expect(names == ["Ada"] && !hasMore)
        await MainActor.run { model.search = "z" }
        await model.loadMore()
        let (contacts, error) = await (model.contacts, model.error)
        #expect(contacts == [] && error != nil)
    }

    @Test func `a page of an earlier search is not shown, and one page is loaded once`() async throws {
        let (isAsked, mayAnswer) = (OneShot<Void>(), OneShot<Void>())
        server.on(.get, "**/contacts", query: ["search": ""]).answers(
            .handler { _ in
                isAsked.settle(())
                try? await mayAnswer.wait()
                return .json(#"{"contacts": [{"id": 1, "name": "Ada"}], "next": null}"#)
            })
        server.on(.get, "**/contacts", query: ["search": "z"])
            .answers(.json(#"{"contacts": [{"id": 3, "name": "Zoe"}], "next": null}"#))
        let model = await ContactListModel(service: service())
        async let first: Void = model.loadMore()
        try await isAsked.wait()
        await model.loadMore()
        #expect(server.requests.count == 1)
        await MainActor.run { model.search = "z" }
        await model.loadMore()
        mayAnswer.settle(())
        await first
        let names = await model.contacts.map(\.name)
        #expect(names == ["Zoe"])
    }

    @Test func `errors are those of the app`() async throws {
        server.on(.get, "**/contacts/1").answers(.status(404))
        server.on(.post, "**/contacts").answers(.json(#"{"messages": ["A name is missing."]}"#, status: 422))
        server.on(.get, "**/contacts/2").answers(.failure(NetworkError(kind: .offline)))
        let service = service()
        await #expect(throws: AppError.missing) { try await service.contact(1) }
        await #expect(throws: AppError.refused(["A name is missing."])) { try await service.create(.init(name: "")) }
        await #expect(throws: AppError.offline) { try await service.contact(2) }
    }

    @Test func `an avatar is uploaded, an invoice downloaded, and changes arrive`() async throws {
        server.on(.put, "**/contacts/7/avatar").answers(.json(#"{"id": 7, "name": "Ada"}"#))
        server.on(.get, "**/invoice.pdf").answers(.data(Data("%PDF".utf8)))
        let events = "data: {\"id\": 3, \"kind\": \"deleted\"}\n\n"
        server.on(.get, "**/changes").answers(.data(Data(events.utf8), headers: ["Content-Type": "text/event-stream"]))
        let service = service()
        let contact = try await service.setAvatar(Data([1, 2]), of: 7) { _ in }
        let file = try await service.invoice(of: 7).value
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try contact.id == 7 && Data(contentsOf: file) == Data("%PDF".utf8))
        for try await change in service.changes {
            #expect(change == Contact.Change(id: 3, kind: "deleted"))
            break
        }
    }

    @Test func `a preview is signed in and shows its contacts`() async throws {
        let service = ContactService.preview
        var names: [String] = []
        for try await page in service.pages() { names += page.contacts.map(\.name) }
        #expect(names == ["Ada", "Grace"])
    }
}
