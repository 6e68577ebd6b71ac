import Foundation
import NetworkEngine
import TerminalProgress

extension Step {
    static let upload = Step("upload", "Uploads a form with a picture, and shows the progress.") { stage in
        let (configuration, bar) = (stage.configuration, stage.bar)
        let picture = Data(repeating: 0x42, count: 8_000_000)
        let start = ContinuousClock.now
        // sample
        let provider = NetworkProvider<ServiceAPI>(configuration: configuration)
        let form: [MultipartFormData] = [
            .text("Ada", name: "user"),
            MultipartFormData(
                provider: .data(picture), name: "avatar", fileName: "ada.png"),
        ]
        let receipt: Receipt = try await provider.upload(.avatar(form)) { sent in
            bar.show(sent)
        }
        bar.finish()
        // end
        let speed = TransferSpeed(receipt.bytes, since: start)
        try TourFailure.check(receipt.bytes > picture.count, "The service received \(receipt.bytes) bytes.")
        return ["\(receipt.bytes.megabytes) are sent as multipart/form-data, \(speed)."]
    }
}
