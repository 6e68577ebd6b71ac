import Foundation

/// Runs one exchange on the transport and ends it when its time is up.
package struct ExchangeRunner: Sendable {
    private let transport: any Transport
    private let stopsWhenInterrupted: Bool
    private let reportsAdmission: Bool
    private let timeout: Duration
    private let alarms: Alarms

    package init(transport: any Transport, timeout: Duration, alarms: Alarms) {
        self.transport = transport
        self.timeout = timeout
        self.alarms = alarms
        stopsWhenInterrupted = transport.capabilities.contains(.stopsWhenInterrupted)
        reportsAdmission = transport.capabilities.contains(.reportsAdmission)
    }

    package func send(_ request: HTTPRequest, context: RequestContext) async throws(NetworkError) -> HTTPResponse {
        if Task.isCancelled { throw .cancelled(request) }
        try request.validate()
        let timeout = request.timeout ?? timeout
        let control = ExchangeControl(timeout: timeout, alarms: alarms)
        let transfer = context.call.transferContext(for: context.attempt, control: control)
        if !reportsAdmission { control.start() }
        do {
            let response = try await exchange(request, transfer, control)
            control.finish()
            return response
        } catch {
            let isTimeUp = control.finish()
            throw .transfer(error, of: request, timeUpAfter: isTimeUp ? timeout : nil)
        }
    }

    private func exchange(
        _ request: HTTPRequest,
        _ context: TransportContext,
        _ control: ExchangeControl
    ) async throws -> HTTPResponse {
        if stopsWhenInterrupted { return try await transport.send(request, context: context) }
        // In a task of its own it can be stopped without the call's other work, and left behind if it does not listen.
        let transport = transport
        let call = RunningCall<HTTPResponse>(alarms: alarms, onUnclaimed: { $0.discardFile() })
        control.onInterruption { call.cancel() }
        return try await call.run(until: nil) {
            do {
                return .success(try await transport.send(request, context: context))
            } catch {
                return .failure(.transport(error, request: request))
            }
        }.get()
    }
}

extension RequestContext.Call {
    fileprivate func transferContext(for attempt: Int, control: ExchangeControl) -> TransportContext {
        var context = transport
        context.attempt = attempt
        if let files { context.destination = .file(files.next()) }
        return context.controlled(by: control, until: deadline)
    }

    fileprivate var deadline: Deadline? {
        if case .until(let deadline) = timeLeft { deadline } else { nil }
    }
}

extension NetworkError {
    /// The error of an exchange, from whatever its transport threw.
    fileprivate static func transfer(
        _ error: any Error,
        of request: HTTPRequest,
        timeUpAfter timeout: Duration?
    ) -> NetworkError {
        if Task.isCancelled { return .cancelled(request) }
        if let timeout {
            let known = error as? NetworkError
            if known?.kind == .timeout, let known { return known.completed(request: request) }
            return NetworkError(
                .timeout(.attempt),
                reason: "no complete response within \(timeout)",
                request: request,
                underlying: error is CancellationError || known?.kind == .cancelled ? nil : error
            )
        }
        return .transport(error, request: request)
    }
}
