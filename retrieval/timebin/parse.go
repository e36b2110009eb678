package timebin

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"lens/internal/errs"
)

// maxMultiple is the greatest N of a multiple: about ten years of hours.
const maxMultiple = 100_000

var unitNames = [...]string{
	None:    "auto",
	Minute:  "minute",
	Hour:    "hour",
	Day:     "day",
	Week:    "week",
	Month:   "month",
	Quarter: "quarter",
	Year:    "year",
}

// signs are the units of multiples.
var signs = map[string]Unit{"min": Minute, "h": Hour, "d": Day, "w": Week, "mo": Month, "y": Year}

// Parse reads hour, day, week, month, quarter, half, year, auto (also the empty string), or a multiple such as 15min,
// 6h, 3d, 2w, 2mo or 5y, in any case and with spaces around. 1d is day. The error is an invalid *errs.Error.
func Parse(s string) (Bin, error) {
	name := strings.ToLower(strings.TrimSpace(s))
	switch name {
	case "":
		return Bin{}, nil
	case "half", "half-year":
		return Bin{Month, 6}, nil
	}
	for unit, known := range unitNames {
		if name == known {
			return Bin{Unit(unit), min(int64(unit), 1)}, nil
		}
	}
	digits := strings.TrimRight(name, "hdwmoyin")
	unit := signs[name[len(digits):]]
	n, err := strconv.ParseUint(digits, 10, 32)
	if unit == None || err != nil || n < 1 || n > maxMultiple {
		return Bin{}, &errs.Error{
			Code:    errs.Invalid,
			Op:      "timebin: parse bin",
			Message: "not a bin width",
			Hint:    "use hour, day, week, month, quarter, half, year, auto, or a multiple: 15min, 6h, 3d, 2w, 2mo or 5y",
		}
	}
	return Bin{unit, int64(n)}, nil
}

// String is the inverse of Parse.
func (b Bin) String() string {
	for sign, unit := range signs {
		if b.N > 1 && b.Unit == unit {
			return strconv.FormatInt(b.N, 10) + sign
		}
	}
	switch {
	case b.N > 1 && b.Unit == Quarter:
		return Bin{Month, 3 * b.N}.String()
	case int(b.Unit) < len(unitNames):
		return unitNames[b.Unit]
	}
	return "unknown"
}

// Words names the bins in prose: "week", "2 months", "half-year".
func (b Bin) Words() string {
	switch {
	case b == Bin{Month, 6}:
		return "half-year"
	case b.N > 1 && int(b.Unit) < len(unitNames):
		return strconv.FormatInt(b.N, 10) + " " + unitNames[b.Unit] + "s"
	}
	return b.String()
}

// Label names the bin that begins at edge: "2024-05-03 14:00", "2024-05-03" (for a week its Monday), "2024-05",
// "2024-Q2", "2024".
func (b Bin) Label(edge int64) string {
	t := time.Unix(b.Floor(edge), 0).UTC()
	switch b.Unit {
	case Minute, Hour:
		return t.Format("2006-01-02 15:04")
	case Month:
		return t.Format("2006-01")
	case Quarter:
		return fmt.Sprintf("%s-Q%d", t.Format("2006"), (t.Month()+2)/3)
	case Year:
		return t.Format("2006")
	}
	return t.Format("2006-01-02")
}
