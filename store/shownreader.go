package store

import "context"

// ShownReader reads what a list shows of turns, in less time than Reader.Turns and Reader.Embedded. SQLite is one.
type ShownReader interface {
	// Shown returns the turns with ords, in their order, as Reader.Turns does, and what their vectors were made of, as
	// Reader.Embedded does, all as of one commit. An Embedded is zero where the turn itself says as much: its text is
	// unknown, or is the turn's EmbeddedText. errs.NotFound if one of the turns does not exist.
	Shown(ctx context.Context, ords []Ord) ([]Turn, []Embedded, error)
}
