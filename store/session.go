package store

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// Session is a saved chat with the agent, as a Sessions stores it: what it is listed and found by, and a content that
// the store does not read.
type Session struct {
	ID          uuid.UUID
	Name        string
	Created     time.Time // in microseconds, like Updated
	Updated     time.Time
	Pinned      bool
	Archived    bool
	Exchanges   int         // how many
	Conclusions int         // how many of their answers the user pinned
	Content     []byte      // not in a list
	Cited       []uuid.UUID // the turns that its answers cite, each once; only written
}

// SessionPage selects sessions of a list, by descending Updated and ID. The position of a session is its Updated and
// ID, so pages stay in order while sessions change: one that is updated between two pages moves to the top of the list.
type SessionPage struct {
	Archived bool     // those that are archived, or the others
	Pinned   *bool    // nil: both
	After    *Session // the last session of the page before; nil: from the beginning
	Limit    int
}

// Sessions stores chats with the agent. A read or a write by another process in between is possible, except within an
// Update. One goroutine at a time uses it.
type Sessions interface {
	// Session returns a session without Cited. Errors: not_found.
	Session(ctx context.Context, id uuid.UUID) (Session, error)

	// List returns a page of sessions, without their contents. It reads no other ones.
	List(ctx context.Context, page SessionPage) ([]Session, error)

	// Concluded returns the sessions that have conclusions, by Created and ID.
	Concluded(ctx context.Context) ([]Session, error)

	// Update runs fn in one write transaction. It commits when fn returns nil and rolls back otherwise. Another writer
	// waits.
	Update(ctx context.Context, fn func(SessionsTx) error) error

	Close() error
}

// SessionsTx is a write transaction on sessions.
type SessionsTx interface {
	// Session is Sessions.Session.
	Session(ctx context.Context, id uuid.UUID) (Session, error)

	// Put inserts or replaces a session.
	Put(ctx context.Context, s Session) error

	// CitedTurns returns the turns that sessions cite, in ascending order.
	CitedTurns(ctx context.Context) ([]uuid.UUID, error)

	// RemoveCiting removes the sessions that cite one of the turns, and returns how many there were.
	RemoveCiting(ctx context.Context, turns []uuid.UUID) (int, error)

	// Clear removes all sessions, and returns how many there were.
	Clear(ctx context.Context) (int, error)
}
