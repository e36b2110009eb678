package retrieval

import (
	"context"
	"time"

	"lens/retrieval/query"
)

// Habits says when the turns of chats begin.
type Habits struct {
	Hours    [24]int `json:"hours"`    // turns by hour of the day
	Weekdays [7]int  `json:"weekdays"` // turns by time.Weekday, Sunday first
}

// Habits counts the dated turns of chats on active paths by hour and by weekday, as clocks in a zone show them. Errors:
// those of reading the archive.
func (e *Engine) Habits(ctx context.Context, zone *time.Location) (*Habits, error) {
	a, err := e.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	var h Habits
	for row := range a.rowsOfChats(query.Filter{}) {
		if row < a.Dated {
			t := fromSecond(a.allTimes[row]).In(zone)
			h.Hours[t.Hour()]++
			h.Weekdays[t.Weekday()]++
		}
	}
	return &h, nil
}
