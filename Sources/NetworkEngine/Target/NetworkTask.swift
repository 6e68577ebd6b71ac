public import Foundation

/// What a target sends, and where what comes back goes.
///
/// Bodies set their `Content-Type` unless the target's headers set one.
/// `request`, `data`, `string`, `send` and `start` take every task but the downloads, `upload` those that have a body,
/// `download` those that are no upload; another use is thrown as `.invalidRequest`.
public enum NetworkTask: Sendable {
    /// Nothing.
    case requestPlain
    /// These bytes.
    case requestData(Data)
    /// A value as JSON, by the configuration's encoder.
    case requestJSONEncodable(any Encodable & Sendable)
    /// A value as JSON, by this encoder.
    case requestCustomJSONEncodable(any Encodable & Sendable, encoder: JSONEncoder)
    /// A value with named properties as query string, whatever the method.
    case requestParameterEncodable(any Encodable & Sendable)
    /// Parameters where the encoding puts them.
    case requestParameters(parameters: Parameters, encoding: any ParameterEncoding)
    /// These bytes, and parameters in the query.
    case requestCompositeData(bodyData: Data, urlParameters: Parameters)
    /// Parameters as a form, and others in the query.
    case requestCompositeParameters(bodyParameters: Parameters, urlParameters: Parameters)
    /// The contents of a file.
    case uploadFile(URL)
    /// Parts as `multipart/form-data`.
    case uploadMultipart([MultipartFormData])
    /// Parts as `multipart/form-data`, and parameters in the query.
    case uploadCompositeMultipart([MultipartFormData], urlParameters: Parameters)
    /// Nothing; the body that comes back goes to a file.
    case downloadDestination(DownloadDestination)
    /// Parameters where the encoding puts them; the body that comes back goes to a file.
    case downloadParameters(parameters: Parameters, encoding: any ParameterEncoding, destination: DownloadDestination)
}
