package zoom

import (
	"time"

	"lens/tui/histogram"
	"lens/tui/theme"
)

// Extent is the time that the archive spans, in whole days, and that of its last turn. The zero value is that of an
// archive without dates, or of one that is not open yet.
type Extent struct {
	Span
	Last time.Time
}

// Extent returns the extent of the archive.
func (z Zoom) Extent() Extent {
	if z.All.Width() <= 0 {
		return Extent{}
	}
	return Extent{z.All, time.Unix(z.last, 0).UTC()}
}

// NoTurns says that a window has no turns because the archive does not reach it, and hints at the nearest month that
// has some. The window may be one of Bounded, whose open ends are those of the archive.
func (e Extent) NoTurns(window Span, th theme.Theme) (says, hint string) {
	day := func(second int64) string { return theme.Day(time.Unix(second, 0).UTC()) }
	var name string
	switch {
	case window.From < window.To:
		name = histogram.Crumb(window.From, window.To, th)
	case window.From >= e.To: // up to the end of the archive
		name = "since " + day(window.From)
	default:
		name = "before " + day(window.To)
	}
	if window.From >= e.To {
		return "No turns: " + name + ". The archive ends on " + theme.Day(e.Last), "try " + theme.Month(e.Last)
	}
	begins := time.Unix(e.From, 0).UTC()
	return "No turns: " + name + ". The archive begins on " + theme.Day(begins), "try " + theme.Month(begins)
}

// CountedBack says that a time was counted back from the last turn.
func (e Extent) CountedBack() string { return "Counted back from the last turn, " + theme.Day(e.Last) }
