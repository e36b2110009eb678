package store

import (
	"time"

	"github.com/google/uuid"
)

// Filter narrows a read. The zero Filter lets every turn of an active path through.
type Filter struct {
	Since        time.Time // inclusive; zero: open
	Until        time.Time // exclusive; zero: open
	Conversation uuid.UUID // uuid.Nil: any
	AllBranches  bool      // also turns off the active path
}

// Timed reports whether f bounds time. Undated turns pass only a filter that does not.
func (f Filter) Timed() bool { return !f.Since.IsZero() || !f.Until.IsZero() }
