import NetworkEngine
import NetworkEngineCurl
import NetworkEngineWebSocket

extension Step {
    static let socket = Step("socket", "Guesses a number of the service over a WebSocket.") { stage in
        var configuration = stage.configuration
        // URLSession on Linux does not support WebSockets.
        if CurlTransport.isAvailable { configuration.transport = CurlTransport() }
        // sample
        let provider = NetworkProvider<ServiceAPI>(configuration: configuration)
        let socket = try await provider.webSocket(.game)
        var range = 1...100
        var guesses = [50]
        try await socket.send(json: guesses[0])
        for try await hint in socket.messages(as: Hint.self) {
            range = hint.narrowing(range, after: guesses[guesses.count - 1])
            guesses.append((range.lowerBound + range.upperBound) / 2)
            try await socket.send(json: guesses[guesses.count - 1])
        }
        // end
        try TourFailure.check(socket.closeReason == "right", "The guesses are \(guesses).")
        let words = guesses.map { "\($0)" }.joined(separator: ", ")
        return ["\(words) is right.", "\(guesses.count) messages go to the service over one connection."]
    }
}
