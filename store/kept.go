package store

import "context"

// Kept is what a program keeps with an archive that it has derived from it, under a name: it can be made again.
type Kept struct {
	Data []byte // nil: nothing is kept
	Of   int64  // the state of the turns that it was made of
	Now  int64  // their present state, which changes with every commit that changes a turn
}

// Current reports whether what is kept was made of the present turns.
func (k Kept) Current() bool { return k.Data != nil && k.Of == k.Now }

// KeptReader reads what is kept with an archive, and the index that it may be derived from. Both backends are one.
type KeptReader interface {
	// Kept returns what PutKept has stored under a name. It is dropped when anything is forgotten.
	Kept(ctx context.Context, name string) (Kept, error)

	// EachTerm calls see with every term of the keyword index, in ascending bytewise order, and the turns that have it,
	// in any order, dead Ords too (see Catalog.Row), all as of one commit. The postings are valid only during the call.
	// It ends with the first error of see.
	EachTerm(ctx context.Context, see func(term string, p Postings) error) error
}

// KeptWriter is the part of a Tx that keeps what is derived.
type KeptWriter interface {
	// PutKept inserts or replaces what is kept under a name. It does nothing if the state of the turns is not of: what
	// was forgotten since must not come back.
	PutKept(ctx context.Context, name string, of int64, data []byte) error
}
