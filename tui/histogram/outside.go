package histogram

import "lens/tui/theme"

// Outside says that the window [from, to) has no turns because the archive, [first, end), does not reach it, and hints
// at the nearest month that has some. All are seconds; the window's ends may be those of the archive, where they are
// open.
func Outside(from, to, first, end int64, th theme.Theme) (says, hint string) {
	var window string
	switch {
	case from < to:
		window = Crumb(from, to, th)
	case from >= end: // up to the end of the archive
		window = "since " + theme.Day(utc(from))
	default:
		window = "before " + theme.Day(utc(to))
	}
	if from >= end {
		last := utc(end - 1)
		return "No turns: " + window + ". The archive ends on " + theme.Day(last), "try " + theme.Month(last)
	}
	return "No turns: " + window + ". The archive begins on " + theme.Day(utc(first)), "try " + theme.Month(utc(first))
}

// CountedBack says that a time was counted back from the last turn of an archive that ends at end, in seconds.
func CountedBack(end int64) string {
	return "Counted back from the last turn, " + theme.Day(utc(end-1))
}
