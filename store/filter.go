package store

import (
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
)

// Filter restricts a read. The zero Filter matches every turn of an active path.
type Filter struct {
	Since        time.Time         // inclusive; zero: open
	Until        time.Time         // exclusive; zero: open
	Conversation uuid.UUID         // uuid.Nil: any
	AllBranches  bool              // include turns off the active path
	Sources      []Source          // empty: any
	Meta         map[string]string // only chunks with all of these facts (see Fact); empty: any turn
	Ords         *OrdSet           // only these turns; it may have dead ordinals; nil: any
}

// Timed reports whether f bounds time. An undated turn never matches such a filter.
func (f Filter) Timed() bool { return !f.Since.IsZero() || !f.Until.IsZero() }

// Facts returns the facts that a turn must have to match f's Meta; nil if Meta is empty.
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
