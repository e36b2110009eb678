package timebin

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"lens/internal/errs"
)

// maxMultiple is the greatest N of Nd and Nh: about ten years of hours.
const maxMultiple = 100_000

var unitNames = [...]string{
	None:    "auto",
	Hour:    "hour",
	Day:     "day",
	Week:    "week",
	Month:   "month",
	Quarter: "quarter",
	Year:    "year",
}

// Parse reads hour, day, week, month, quarter, year, auto (also the empty string), or a multiple such as 3d or 6h,
// in any case and with spaces around. 1d is day. The error is an invalid *errs.Error.
func Parse(s string) (Bin, error) {
	name := strings.ToLower(strings.TrimSpace(s))
	if name == "" {
		return Bin{}, nil
	}
	for unit, known := range unitNames {
		if name == known {
			return Bin{Unit(unit), min(int64(unit), 1)}, nil
		}
	}
	unit := map[byte]Unit{'h': Hour, 'd': Day}[name[len(name)-1]]
	n, err := strconv.ParseUint(name[:len(name)-1], 10, 32)
	if unit == None || err != nil || n < 1 || n > maxMultiple {
		return Bin{}, &errs.Error{
			Code:    errs.Invalid,
			Op:      "timebin: parse bin",
			Message: "not a bin width",
			Hint:    "use hour, day, week, month, quarter, year, auto, or a multiple such as 3d or 6h",
		}
	}
	return Bin{unit, int64(n)}, nil
}

// String is the inverse of Parse.
func (b Bin) String() string {
	switch {
	case b.Unit == Hour && b.N > 1:
		return fmt.Sprintf("%dh", b.N)
	case b.Unit == Day && b.N > 1:
		return fmt.Sprintf("%dd", b.N)
	case int(b.Unit) < len(unitNames):
		return unitNames[b.Unit]
	}
	return "unknown"
}

// Label names the bin that begins at edge: "2024-05-03 14:00", "2024-05-03" (for a week its Monday), "2024-05",
// "2024-Q2", "2024".
func (b Bin) Label(edge int64) string {
	t := time.Unix(b.Floor(edge), 0).UTC()
	switch b.Unit {
	case Hour:
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
