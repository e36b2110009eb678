package search

import (
	"lens/retrieval"
	"lens/tui/zoom"
)

// Key identifies what is requested: a search in a window. The zero window is all time, including undated turns.
type Key struct {
	Search
	Window zoom.Span
	Order  Order // of the listed turns without a query; else ByScore

	Occurrences bool // their peaks are explained, too
}

// Doing names the request for the status line.
func (k Key) Doing() string {
	if k.IsSomething() {
		return "searching"
	}
	return "listing"
}

// Order is what the rows are sorted by. The zero order is by score.
type Order int

// The orders.
const (
	ByScore     Order = iota
	ByDate            // newest first, the undated last
	OldestFirst       // the undated last
)

// Result is the result of a search or, without a query, the turns of a window.
type Result struct {
	Key
	Peek    *retrieval.Peek               // nil: no result yet
	Fullest []retrieval.ConversationCount // without a query: the most active conversations
}

// FoundBy returns the words that matches were found by, nil for none.
func (r Result) FoundBy() *retrieval.Words {
	if r.Peek == nil {
		return nil
	}
	return r.Peek.Words
}

// isShort reports whether more matches were counted than are listed.
func (r Result) isShort() bool {
	return r.IsSomething() && r.Peek != nil && len(r.Peek.Matches) < r.Peek.Histogram.Total
}

// HasAllMatches reports whether a search lists every turn of the archive that matches, so that no other one does.
func (r Result) HasAllMatches() bool {
	if !r.IsSomething() || r.Peek == nil || r.IsPartial() || r.isShort() {
		return false
	}
	return r.Window == zoom.Span{} && !r.Peek.Coverage.Truncated
}

// IsPartial reports whether the search left texts unread that decide.
func (r Result) IsPartial() bool { return r.Peek != nil && r.Peek.Partial }
