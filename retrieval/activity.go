package retrieval

import (
	"context"
	"encoding/json"
	"time"

	"lens/retrieval/query"
	"lens/store"
)

// Activity counts all turns of active paths that pass q's filter over time, whatever they are about. Errors: invalid.
func (e *Engine) Activity(ctx context.Context, q query.Query) (*Activity, error) {
	if err := q.Filter.Validate(q); err != nil {
		return nil, err
	}
	by, err := parseBin("activity", q.Bin, q.AutoBins)
	if err != nil {
		return nil, err
	}
	a, err := e.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	times, undated := a.timesWithin(storeFilter(q.Filter))
	h, err := histogram("activity", times, a.pathTimes, undated, dateRangeOf(times), by)
	if err != nil {
		return nil, err
	}
	return &Activity{Histogram: h}, nil
}

// timesWithin returns the times of the eligible turns on active paths, and how many eligible turns are undated.
func (a *snapshot) timesWithin(f store.Filter) (times []int64, undated int) {
	if !f.Timed() && len(f.Sources) == 0 {
		return a.pathTimes, a.turns - len(a.pathTimes)
	}
	for row := range a.Scope(f, nil).Rows() {
		if row < a.Dated {
			times = append(times, second(a.Time[row]))
		} else {
			undated++
		}
	}
	return times, undated
}

// ActivityBody is the JSON form of an Activity. It leaves out baselines, which equal the counts, and shares.
type ActivityBody struct {
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
	var body ActivityBody
	h := &body.Histogram
	h.Bin, h.Total, h.Undated = a.Histogram.Bin, a.Histogram.Total, a.Histogram.Undated
	h.Bins = make([]ActivityBin, len(a.Histogram.Bins))
	for i, b := range a.Histogram.Bins {
		h.Bins[i] = ActivityBin{b.Start, b.End, b.Count}
	}
	return json.Marshal(body)
}
