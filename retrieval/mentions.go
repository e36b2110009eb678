package retrieval

import (
	"time"

	"lens/retrieval/rank"
)

// shortestSilence is how long nothing has to be said of something for that to be a silence.
const shortestSilence = 24 * time.Hour

// mentions summarizes every turn in which the query comes up: the hits, and all other eligible turns that hold
// every word of it. So the first mention is the first of all, even where more turns match than are listed.
func (f *searchResult) mentions() Mentions {
	if f.faint { // the nearest vectors are not mentions
		return Mentions{}
	}
	rows := rank.NewRows(f.Len())
	for _, h := range f.hits {
		rows.Add(h.Row)
	}
	for _, row := range f.rowsWithAllTerms {
		if f.isEligible(row) {
			rows.Add(row)
		}
	}
	var m Mentions
	var gap, previous int64
	last := -1
	for row := range rows.All() {
		m.Count++
		if int(row) >= f.Dated {
			continue
		}
		at := f.Time[row]
		if last < 0 {
			m.First = f.mention(int(row))
		} else if at-previous > gap && time.Duration(at-previous)*time.Microsecond >= shortestSilence {
			gap = at - previous
			m.Silence = &Silence{Since: *f.timeOf(last), Until: *f.timeOf(int(row)), Turns: f.turnsBetween(last, int(row))}
		}
		last, previous = int(row), at
	}
	if last >= 0 {
		m.Last = f.mention(last)
	}
	return m
}

func (f *searchResult) mention(row int) *Mention {
	return &Mention{TurnID: f.ID[row], Time: *f.timeOf(row)}
}

// turnsBetween counts the turns between two rows in time order: on active paths, or all when all branches are
// searched.
func (f *searchResult) turnsBetween(from, to int) int {
	if f.filter.AllBranches {
		return to - from - 1
	}
	return int(f.onPathBefore[to] - f.onPathBefore[from+1])
}
