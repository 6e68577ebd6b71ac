// Numbers that overflow a 32-bit Int, one per function: .ci/narrow-literals must find all of them.
func shiftedOne(_ limit: Int) -> Int { min(max(1, limit), 1 << 40) }
func largestOfAnotherType() -> Int { Int(UInt32.max) }
func product() -> Duration { .seconds(100 * 366 * 86_400) }
func compared(_ count: Int) -> Bool { count < 4_294_967_296 }
func shiftedThree(_ count: Int) -> Bool { count < 3 << 30 }
func range(_ size: Int) -> Bool { (1..<1 << 40).contains(size) }
func shiftedLeft(_ count: Int) -> Int { count << 40 }
func shiftedRight(_ count: Int) -> Int { count &>> 33 }
func matched(_ count: Int) -> Bool { if case 3_000_000_000 = count { true } else { false } }
func searched(_ counts: [Int]) -> Bool { counts.contains(3_000_000_000) }
func unsigned(_ count: UInt) -> Bool { count == 5_000_000_000 }
func nested(_ count: Int) -> Int { [count].map { $0 + 3_000_000_000 }.count }

// And code that it must not report.
func wide(_ count: Int64) -> Bool { count < 4_294_967_296 && count > 1 << 40 }
func wideUnsigned(_ count: UInt64) -> Bool { count < 1 << 63 }
func fraction(_ count: Double) -> Bool { count < 4_294_967_296 }
func largest(_ count: Int) -> Bool { count < .max / 2 && count > .min }
func clamped() -> Int { Int(clamping: UInt32.max) }
