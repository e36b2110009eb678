package store

import "context"

// TextReader reads the texts of turns alone, in less than half the time of Reader.Turns. Both backends are one.
type TextReader interface {
	// EachText calls see with the texts of every turn ords[i]; again if the connection is lost. They are valid only
	// during the call. Ascending ords are fastest. errs.NotFound if one of the turns does not exist.
	EachText(ctx context.Context, ords []Ord, see func(i int, user, assistant string)) error
}
