package import Foundation

extension String {
    package var url: URL {
        get throws {
            guard let url = URL(string: self) else { throw URLError(.badURL) }
            return url
        }
    }
}
