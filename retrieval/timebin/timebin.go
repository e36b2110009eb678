// Package timebin divides time, in UTC seconds since 1970, into bins with a fixed origin, so a bin's edges never
// depend on what is counted in it. It is pure.
//
// A bin is a calendar unit or a multiple of one: minute floor(t/60), hour floor(t/3600), day floor(t/86400), week from
// Monday, month, quarter and year by the UTC calendar (proleptic Gregorian). Multiples of minutes, hours and days are
// counted from the epoch, those of weeks from Monday 1970-01-05, those of months and years from the year 0.
// Division floors, also before 1970.
//
// Times must lie within ±MaxTime, far beyond any clock; later or earlier ones count as that end.
package timebin

// Unit is the unit of a bin.
type Unit uint8

// The units from the finest to the coarsest, of which Auto has no minutes. None is the unit of the zero Bin, which is
// "auto".
const (
	None Unit = iota
	Minute
	Hour
	Day
	Week
	Month
	Quarter
	Year
)

// Bin is a way to divide time: N units. The zero Bin is "auto": it has no edges before Resolve, and Floor, Next, Edges
// and Label panic for it. Bins are comparable.
type Bin struct {
	Unit Unit
	N    int64
}

// MaxTime bounds the times that can be binned, in seconds: thirty million years, so that no sum of edges overflows.
const MaxTime = 1_000_000_000_000_000

const (
	minute = 60
	hour   = 60 * minute
	day    = 24 * hour
)

// width returns the length of a bin in seconds and its origin, for units of fixed length; 0 for months and longer.
func (b Bin) width() (seconds, origin int64) {
	switch b.Unit {
	case Minute:
		return b.N * minute, 0
	case Hour:
		return b.N * hour, 0
	case Day:
		return b.N * day, 0
	case Week:
		return b.N * 7 * day, 4 * day // 1970-01-05 was a Monday
	case None:
		panic("timebin: an auto bin has no edges before it is resolved")
	}
	return 0, 0
}

// months returns the length of a calendar bin in months.
func (b Bin) months() int64 {
	switch b.Unit {
	case Quarter:
		return 3 * b.N
	case Year:
		return 12 * b.N
	}
	return b.N
}

// Floor returns the start of t's bin.
func (b Bin) Floor(t int64) int64 {
	t = clamp(t)
	if width, origin := b.width(); width > 0 {
		return floorDiv(t-origin, width)*width + origin
	}
	return startOfMonth(floorDiv(monthOf(t), b.months()) * b.months())
}

// Next returns the start of the bin after the one that holds edge. It is always above edge, for edges within
// ±MaxTime.
func (b Bin) Next(edge int64) int64 {
	start := b.Floor(edge)
	if width, _ := b.width(); width > 0 {
		return start + width
	}
	return startOfMonth(monthOf(start) + b.months())
}

// Finer returns the next finer rung of the ladder hour, day, week, month, quarter, year; false at its end. A
// multiple steps to the nearest rung: 3d is between day and week.
func (b Bin) Finer() (Bin, bool) {
	switch {
	case b.Unit <= Minute || b == Bin{Hour, 1}:
		return b, false
	case b.N > 1:
		return rungBelow(b), true
	}
	return Bin{b.Unit - 1, 1}, true
}

// Coarser is the inverse of Finer.
func (b Bin) Coarser() (Bin, bool) {
	switch {
	case b.Unit == None || b.Unit == Year:
		return b, false
	case b.N > 1:
		return rungAbove(b)
	}
	return Bin{b.Unit + 1, 1}, true
}

// approxSeconds returns the approximate length of a bin in seconds.
func (b Bin) approxSeconds() int64 {
	switch b.Unit {
	case Month, Quarter, Year:
		return b.months() * 30 * day
	}
	width, _ := b.width()
	return width
}

// rungBelow returns the coarsest rung that is finer than a multiple.
func rungBelow(b Bin) Bin {
	for unit := Year; unit > Hour; unit-- {
		if rung := (Bin{unit, 1}); rung.approxSeconds() < b.approxSeconds() {
			return rung
		}
	}
	return Bin{Hour, 1}
}

// rungAbove returns the finest rung that is coarser than a multiple; false when there is none.
func rungAbove(b Bin) (Bin, bool) {
	for unit := Hour; unit <= Year; unit++ {
		if rung := (Bin{unit, 1}); rung.approxSeconds() > b.approxSeconds() {
			return rung, true
		}
	}
	return b, false
}
