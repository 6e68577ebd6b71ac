import Foundation
import NetworkEngine

/// Writes an operation and its files as one multipart body: the operation, where each file belongs, the files.
struct UploadWriter {
    let path: String
    let encoder: JSONEncoder

    func endpoint(
        for operation: GraphQLOperation,
        uploads: [GraphQLUpload]
    ) throws(GraphQLError) -> (endpoint: Endpoint, body: RequestBody) {
        do throws(NetworkError) {
            let room = OperationBody(try operation.makingRoom(for: uploads))
            let names = uploads.indices.map(String.init)
            let map = Dictionary(zip(names, uploads.map { [$0.path] })) { $1 }
            var parts = [
                MultipartFormData(provider: .data(try room.data(by: encoder)), name: "operations"),
                MultipartFormData(provider: .data(try OperationBody.json(map)), name: "map"),
            ]
            for (name, upload) in zip(names, uploads) {
                let fileName = upload.fileName ?? upload.provider.defaultFileName
                parts.append(
                    MultipartFormData(
                        provider: upload.provider, name: name, fileName: fileName, mimeType: upload.mimeType))
            }
            let body = try MultipartEncoder().encode(parts)
            let headers: HTTPHeaders = ["Accept": OperationWriter.accepted, "Content-Type": body.contentType]
            return (.post(path, headers: headers), body.content)
        } catch {
            throw GraphQLError(kind: .encodingFailed, networkError: error)
        }
    }
}

extension MultipartFormData.Provider {
    /// A part without a name is a field to most servers, not a file.
    fileprivate var defaultFileName: String? {
        if case .file = self { nil } else { "file" }
    }
}
