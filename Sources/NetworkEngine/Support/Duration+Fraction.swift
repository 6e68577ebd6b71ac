extension Duration {
    /// A part of the duration, from none of it at 0 to all of it at 1; exact where the fraction has few binary digits.
    package func scaled(by fraction: Double) -> Duration {
        let steps = Int64(1) << 32
        let part = fraction.isNaN ? 0 : Int64(min(max(fraction, 0), 1) * Double(steps))
        return bounded * part / steps
    }
}
