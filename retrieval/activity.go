package retrieval

import (
	"context"
	"encoding/json"
	"time"

	"lens/retrieval/query"
)

// Activity counts over time all turns that pass q's filter, phrases and exclusions, whatever they are about. Errors:
// invalid.
func (e *Engine) Activity(ctx context.Context, q query.Query) (*Activity, error) {
	if err := q.Filter.Validate(q); err != nil {
		return nil, err
	}
	by, err := parseBin("activity", q.Bin, q.AutoBins)
	if err != nil {
		return nil, err
	}
	var activity Activity
	err = e.readConsistently(ctx, func(a *snapshot) error {
		f, err := e.newSearch(ctx, a, listing(q), searchPlan{})
		if err != nil {
			return err
		}
		times, undated := f.times()
		activity.Notice = f.leftOut()
		all := a.baseline(f.filter.AllBranches)
		activity.Histogram, err = histogram("activity", times, all, undated, dateRangeOf(times), by)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &activity, nil
}

// times returns the times of the eligible turns, and how many eligible turns are undated.
func (f *searchResult) times() (times []int64, undated int) {
	if f.scope.TimeOnly() && !f.narrowed && !f.filter.Timed() {
		times = f.baseline(f.filter.AllBranches)
		return times, f.candidates() - len(times)
	}
	for row := range f.eligibleInWindow {
		if int(row) < f.Dated {
			times = append(times, f.allTimes[row])
		} else {
			undated++
		}
	}
	return times, undated
}

// ActivityBody is the JSON form of an Activity. It leaves out baselines, which equal the counts, and shares.
type ActivityBody struct {
	Notice    string `json:"notice,omitempty"`
	Histogram struct {
		Bin     string        `json:"bin"`
		Bins    []ActivityBin `json:"buckets"`
		Total   int           `json:"total"`
		Undated int           `json:"undated"`
	} `json:"histogram"`
}

// ActivityBin is a HistogramBin in an ActivityBody.
type ActivityBin struct {
	Start time.Time `json:"start"`
	End   time.Time `json:"end"`
	Count int       `json:"count"`
}

// MarshalJSON writes an ActivityBody.
func (a Activity) MarshalJSON() ([]byte, error) {
	body := ActivityBody{Notice: a.Notice}
	h := &body.Histogram
	h.Bin, h.Total, h.Undated = a.Histogram.Bin, a.Histogram.Total, a.Histogram.Undated
	h.Bins = make([]ActivityBin, len(a.Histogram.Bins))
	for i, b := range a.Histogram.Bins {
		h.Bins[i] = ActivityBin{b.Start, b.End, b.Count}
	}
	return json.Marshal(body)
}
