/// Unicode text in the letters, digits and hyphens that a host's name is made of (RFC 3492).
package enum Punycode {
    private static let (base, tMin, tMax, skew, damp, initialBias, initialCode) = (36, 1, 26, 38, 700, 72, 0x80)

    /// The form in ASCII, without `xn--`; `nil` for more than a label of a name can hold.
    package static func encode(_ label: some Collection<Unicode.Scalar>) -> String? {
        // Longer ones do not fit, and so no number below gets large.
        guard label.prefix(64).count < 64 else { return nil }
        let codes = label.map { Int($0.value) }
        var output = codes.filter { $0 < initialCode }
        let basicCount = output.count
        if basicCount > 0 { output.append(Int(UInt8(ascii: "-"))) }
        var (code, delta, bias, handled) = (initialCode, 0, initialBias, basicCount)
        while let next = codes.filter({ $0 >= code }).min() {
            delta += (next - code) * (handled + 1)
            code = next
            for other in codes {
                if other < code { delta += 1 }
                guard other == code else { continue }
                append(delta, bias, to: &output)
                bias = adapted(delta, to: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            code += 1
        }
        return String(decoding: output.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    /// Writes a number as digits of growing weight, the last of which is the first below its threshold.
    private static func append(_ number: Int, _ bias: Int, to output: inout [Int]) {
        var rest = number
        var weight = base
        while true {
            let threshold = min(max(weight - bias, tMin), tMax)
            guard rest >= threshold else { return output.append(digit(rest)) }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            weight += base
        }
    }

    /// Letters for 0 to 25, digits from there on.
    private static func digit(_ value: Int) -> Int { value < 26 ? 0x61 + value : 0x30 + value - 26 }

    private static func adapted(_ delta: Int, to count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damp : delta / 2
        delta += delta / count
        var bias = 0
        while delta > (base - tMin) * tMax / 2 {
            delta /= base - tMin
            bias += base
        }
        return bias + (base - tMin + 1) * delta / (delta + skew)
    }
}
