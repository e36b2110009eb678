package store

import (
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
)

// Filter narrows a read. The zero Filter lets every turn of an active path through.
type Filter struct {
	Since        time.Time         // inclusive; zero: open
	Until        time.Time         // exclusive; zero: open
	Conversation uuid.UUID         // uuid.Nil: any
	AllBranches  bool              // also turns off the active path
	Sources      []Source          // turns that came from one of them; empty: from anywhere
	Meta         map[string]string // only chunks with all of these facts: see Fact; empty: all turns
}

// Timed reports whether f bounds time. Undated turns pass only a filter that does not.
func (f Filter) Timed() bool { return !f.Since.IsZero() || !f.Until.IsZero() }

// Facts returns the terms of the keyword index that hold of a turn that f's Meta lets through; nil when it lets all through.
func (f Filter) Facts() []string {
	if len(f.Meta) == 0 {
		return nil
	}
	facts := make([]string, 0, len(f.Meta))
	for _, key := range slices.Sorted(maps.Keys(f.Meta)) {
		facts = append(facts, Fact(key, f.Meta[key]))
	}
	return facts
}
