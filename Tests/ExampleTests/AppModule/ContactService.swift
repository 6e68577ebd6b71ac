import Foundation
import NetworkEngine
import NetworkEngineStreams

/// What the screens of the app can do with contacts.
struct ContactService: Sendable {
    private nonisolated struct Tokens: Decodable {
        let accessToken: String
        let refreshToken: String
        let expiresIn: Int

        var bearer: BearerToken {
            BearerToken(accessToken, expiresIn: .seconds(expiresIn), refreshToken: refreshToken)
        }
    }

    private let session: TokenRefresher<BearerToken>
    private let contacts: any NetworkCalling<ContactsAPI, AppError>

    init(
        in environment: AppEnvironment,
        store: some CredentialStore<BearerToken> = InMemoryCredentialStore<BearerToken>(nil),
        onSessionExpired: (@Sendable @concurrent () async -> Void)? = nil
    ) {
        var options = RefreshOptions()
        // This server rejects an old refresh token with a plain 401, and not with an error of OAuth 2.
        options.isSessionOver = { ($0 as? NetworkError)?.statusCode == 401 }
        let session = TokenRefresher(
            store: store,
            options: options,
            refresh: { old, context in
                let tokens: Tokens = try await context.request(ContactsAPI.refresh(token: old.refreshToken ?? ""))
                return tokens.bearer
            },
            onSessionExpired: onSessionExpired
        )
        self.session = session
        contacts = NetworkProvider(
            interceptors: .recommended(credential: session), configuration: environment.configuration
        ).mapErrors(with: AppErrorMapper())
    }

    func signIn(name: String, password: String) async throws {
        let tokens: Tokens = try await contacts.request(.signIn(name: name, password: password))
        try await session.signIn(tokens.bearer)
    }

    func signOut() async throws { try await session.signOut() }

    /// The pages of a search; all contacts for an empty text.
    func pages(search: String = "") -> MappedSequence<Pages<Contact.Page>, AppError> {
        contacts.pages(of: Contact.Page.self, from: .list(search: search)) { page in
            page.value.next.map { .list(search: search, page: $0) }
        }
    }

    func contact(_ id: Contact.ID) async throws(AppError) -> Contact {
        try await contacts.request(.contact(id))
    }

    func create(_ draft: Contact.Draft) async throws(AppError) -> Contact {
        try await contacts.request(.create(draft))
    }

    func delete(_ id: Contact.ID) async throws(AppError) {
        try await contacts.request(.delete(id))
    }

    func setAvatar(
        _ image: Data, of id: Contact.ID, progress: @escaping @Sendable (Double) -> Void
    ) async throws(AppError) -> Contact {
        try await contacts.upload(.avatar(id, image: image)) { progress($0.fraction ?? 0) }
    }

    /// Starts the download of an invoice. The handle reports progress, pauses and cancels.
    func invoice(of id: Contact.ID) -> CallHandle<URL, AppError> {
        contacts.startDownload(.invoice(id))
    }

    /// The changes of other devices, as they happen.
    var changes: MappedSequence<DecodedEvents<Contact.Change>, AppError> {
        contacts.events(.changes, as: Contact.Change.self)
    }
}
