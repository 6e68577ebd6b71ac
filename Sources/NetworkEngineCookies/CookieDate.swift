import NetworkEngine

/// The date in a cookie's `Expires` attribute, in any format that servers use (RFC 6265bis, 5.1.1).
enum CookieDate {
    /// The parts of a date found so far. Only the first of each kind is used.
    private struct Parts {
        var time: [Int64]?
        var day: Int64?
        var month: Int?
        var year: Int64?

        /// Reads a token as the first missing part that it matches.
        mutating func read(_ token: ArraySlice<UInt8>) {
            if time == nil, let time = CookieDate.time(token) {
                self.time = time
            } else if day == nil, let day = CookieDate.number(token, digits: 1...2) {
                self.day = day
            } else if month == nil, let month = CookieDate.month(token) {
                self.month = month
            } else if year == nil, let year = CookieDate.number(token, digits: 2...4) {
                self.year = year
            }
        }
    }

    /// The seconds since 1970; `nil` for an invalid date.
    static func seconds(_ text: String) -> Int64? {
        var parts = Parts()
        for token in text.utf8.split(whereSeparator: isDelimiter) { parts.read(ArraySlice(token)) }
        guard let time = parts.time, let day = parts.day, let month = parts.month, var year = parts.year else {
            return nil
        }
        if (70...99).contains(year) { year += 1900 } else if (0...69).contains(year) { year += 2000 }
        guard year >= 1601, time[0] <= 23, time[1] <= 59, time[2] <= 59,
            (1...HTTPDate.daysInMonth(month, of: year)).contains(day)
        else { return nil }
        let days = HTTPDate.daysSince1970(year: year, month: month + 1, day: day)
        return ((days * 24 + time[0]) * 60 + time[1]) * 60 + time[2]
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// Three numbers between colons. Other characters may follow the last number, such as `GMT`.
    private static func time(_ token: ArraySlice<UInt8>) -> [Int64]? {
        let fields = token.split(
            separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0].allSatisfy(isDigit), fields[1].allSatisfy(isDigit) else { return nil }
        let numbers = fields.compactMap { number($0, digits: 1...2) }
        return numbers.count == 3 ? numbers : nil
    }

    /// The digits at the start of a token, up to its first non-digit.
    private static func number(_ token: ArraySlice<UInt8>, digits: ClosedRange<Int>) -> Int64? {
        let number = token.prefix(while: isDigit)
        guard digits.contains(number.count) else { return nil }
        return number.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// The month named by the first three letters, from 0 for January.
    private static func month(_ token: ArraySlice<UInt8>) -> Int? {
        HTTPDate.months.firstIndex(of: String(decoding: token.prefix(3), as: UTF8.self).lowercased())
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
