public import Foundation

/// The content of a request, and the destination of a download.
///
/// A body sets its `Content-Type`, unless the target's headers set one. Multipart bodies always have a multipart type
/// with their boundary; the headers can set the subtype and other parameters. `request`, `data`, `string`, `send` and
/// `start` accept all tasks except downloads. `upload` accepts tasks with a body, and `download` accepts tasks that are
/// not uploads. Other combinations throw an error of kind `.invalidRequest`.
public enum NetworkTask: Sendable {
    /// No content.
    case requestPlain
    /// A body with these bytes.
    case requestData(Data)
    /// A value as JSON, with the configuration's encoder.
    case requestJSONEncodable(any Encodable & Sendable)
    /// A value as JSON, with this encoder.
    case requestCustomJSONEncodable(any Encodable & Sendable, encoder: JSONEncoder)
    /// A value with named properties as a query string, for every HTTP method.
    case requestParameterEncodable(any Encodable & Sendable)
    /// Parameters in the location determined by the encoding.
    case requestParameters(parameters: Parameters, encoding: any ParameterEncoding)
    /// A body with these bytes, and parameters in the query.
    case requestCompositeData(bodyData: Data, urlParameters: Parameters)
    /// Parameters as a form, and other parameters in the query.
    case requestCompositeParameters(bodyParameters: Parameters, urlParameters: Parameters)
    /// The contents of a file.
    case uploadFile(URL)
    /// Parts as `multipart/form-data`.
    case uploadMultipart([MultipartFormData])
    /// Parts as `multipart/form-data`, and parameters in the query.
    case uploadCompositeMultipart([MultipartFormData], urlParameters: Parameters)
    /// No content; the response body is written to a file.
    case downloadDestination(DownloadDestination)
    /// Parameters in the location determined by the encoding; the response body is written to a file.
    case downloadParameters(parameters: Parameters, encoding: any ParameterEncoding, destination: DownloadDestination)
}
