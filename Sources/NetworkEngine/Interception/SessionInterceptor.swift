/// An interceptor that serves one user after another, and must not continue a call of one as another.
package protocol SessionInterceptor: RequestInterceptor {
    /// Notes in whose session a call begins.
    func callBegins(_ notes: CallStorage)
}
