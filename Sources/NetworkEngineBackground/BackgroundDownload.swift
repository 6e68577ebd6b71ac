import Foundation
import NetworkEngine

/// A finished download in the system's temporary file, which is removed soon.
struct BackgroundDownload: Sendable {
    let file: URL
    let status: Int
    let headers: HTTPHeaders
    let request: HTTPRequest

    init(file: URL, status: Int, headers: HTTPHeaders, request: HTTPRequest) {
        self.file = file
        self.status = status
        self.headers = headers
        self.request = request
    }

    /// Moves the file to its destination, and returns a response with the placed file.
    ///
    /// The file of a rejected response is removed. The error contains its first bytes.
    func placed(
        at destination: DownloadDestination,
        in folder: URL,
        validation: ResponseValidation
    ) -> Result<HTTPResponse, NetworkError> {
        Result { () throws(NetworkError) in
            var response = HTTPResponse(
                statusCode: status, headers: headers, body: .file(try claimed(in: folder)), request: request)
            do throws(NetworkError) {
                try validation.check(response, standard: validation)
            } catch {
                let shown = response.movingFileIntoMemory()
                throw NetworkError(
                    kind: error.kind, reason: error.reason, response: shown, underlying: error.underlying)
            }
            do {
                response.body = .file(try destination.place(response))
            } catch {
                response.discardFile()
                throw .transport(error, request: request)
            }
            return response
        }
    }

    /// Moves the file to a new name. The system removes its file when the callback returns.
    private func claimed(in folder: URL) throws(NetworkError) -> URL {
        let own = folder.freshFile
        do {
            try FileManager.default.moveItem(at: file, to: own)
            return own
        } catch {
            let reason = "the downloaded file could not be moved"
            throw NetworkError(kind: .transport, reason: reason, request: request, underlying: error)
        }
    }
}
