/// A date in a header, in the preferred format or one of the two obsolete formats (RFC 9110, 5.6.7).
package enum HTTPDate {
    /// The seconds since 1970; `nil` for a date in any other format, which a cache must not guess.
    ///
    /// Ignores the case of the time zone.
    package static func seconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard let zone = words.last, let first = words.first else { return nil }
        guard first.hasSuffix(",") else {
            // Sun Nov  6 08:49:37 1994
            let words = words.count == 6 && words[2].isEmpty ? words[0...1] + words[3...5] : words[...]
            guard words.count == 5, zone.utf8.count == 4 else { return nil }
            return seconds(day: words[2], month: words[1], year: words[4], time: words[3])
        }
        guard zone.lowercased() == "gmt" else { return nil }
        switch words.count {
        case 6:
            // Sun, 06 Nov 1994 08:49:37 GMT
            guard words[3].utf8.count == 4 else { return nil }
            return seconds(day: words[1], month: words[2], year: words[3], time: words[4])
        case 4:
            // Sunday, 06-Nov-94 08:49:37 GMT
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard date.count == 3, date[2].utf8.count == 2 else { return nil }
            return seconds(day: date[0], month: date[1], year: date[2], time: words[2])
        default: return nil
        }
    }

    /// The preferred format of a date: `Sun, 06 Nov 1994 08:49:37 GMT`. Years outside 1601 through 9999 are clamped.
    package static func text(_ seconds: Int64) -> String {
        let seconds = min(max(seconds, earliest), latest)
        // Days and seconds of the day, rounded down for dates before 1970.
        let days = (seconds - (seconds < 0 ? 86_399 : 0)) / 86_400
        let rest = seconds - days * 86_400
        let (year, month, day) = date(daysSince1970: days)
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int((days % 7 + 7) % 7)]
        let time = [rest / 3600, rest / 60 % 60, rest % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let name = months[month - 1].prefix(1).uppercased() + months[month - 1].dropFirst()
        return "\(weekday), \(day < 10 ? "0" : "")\(day) \(name) \(year) \(time.joined(separator: ":")) GMT"
    }

    private static let earliest: Int64 = -11_644_473_600
    private static let latest: Int64 = 253_402_300_799

    /// The inverse of `daysSince1970(year:month:day:)`, which counts in eras of 400 years.
    private static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int, day: Int64) {
        let days = days + 719_468
        let era = days / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func seconds(day: Substring, month: Substring, year: Substring, time: Substring) -> Int64? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 2...2) }
        guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            hour < 24, minute < 60, second <= 60,
            let day = number(day, digits: 1...2), let month = months.firstIndex(of: month.lowercased()),
            let year = fullYear(year)
        else { return nil }
        guard (1...daysInMonth(month, of: year)).contains(day) else { return nil }
        let days = daysSince1970(year: year, month: month + 1, day: day)
        return ((days * 24 + hour) * 60 + minute) * 60 + min(second, 59)
    }

    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int64? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }

    /// Two-digit years up to 69 are in this century, as in cookies.
    private static func fullYear(_ text: Substring) -> Int64? {
        if let year = number(text, digits: 4...4) { return year < 1601 ? nil : year }
        return number(text, digits: 2...2).map { $0 < 70 ? 2000 + $0 : 1900 + $0 }
    }

    /// - Parameter month: starting with 0 for January.
    package static func daysInMonth(_ month: Int, of year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 1 ? (isLeap ? 29 : 28) : [3, 5, 8, 10].contains(month) ? 30 : 31
    }

    /// Counts years from March, so that the leap day is the last day.
    ///
    /// - Parameter month: starting with 1 for January.
    package static func daysSince1970(year: Int64, month: Int, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let monthFromMarch = Int64((month + 9) % 12)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }

    package static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
}
