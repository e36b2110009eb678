package postgres

import (
	"context"
	"unsafe"

	"lens/internal/errs"
	"lens/store"
)

var _ store.TextReader = (*Store)(nil)

// EachText implements store.TextReader.
func (s *Store) EachText(ctx context.Context, ords []store.Ord, see func(i int, user, assistant string)) error {
	asked := make([]int64, len(ords))
	for i, ord := range ords {
		asked[i] = int64(ord)
	}
	return s.read(ctx, "texts", func(c *conn) error {
		var t turnTexts
		n := 0 // turns seen, with the one that t collects
		err := c.each(ctx, "TextsByOrd", []any{asked}, func(r row) error {
			switch r.int(0) {
			case n:
			case n + 1:
				if n > 0 {
					t.show(n-1, see)
				}
				n++
			default:
				return errNoText
			}
			t.add(r)
			return nil
		})
		switch {
		case err != nil:
			return err
		case n < len(ords):
			return errNoText
		case n > 0:
			t.show(n-1, see)
		}
		return nil
	})
}

var errNoText = &errs.Error{
	Code: errs.NotFound, Op: "postgres: texts", Message: "a turn is gone",
	Hint: "search again; it may have been forgotten",
}

// turnTexts collects the texts of one turn after the other in the same memory.
type turnTexts struct{ user, assistant []byte }

// add adds the text of a row of TextsByOrd.
func (t *turnTexts) add(r row) {
	text := r[2]
	if asked := r[3]; asked != nil {
		t.user = append(t.user[:0], asked...)
	}
	switch {
	case r.bool(1):
		t.user = append(t.user[:0], text...)
		return
	case len(text) > 0 && len(t.assistant) > 0:
		t.assistant = append(t.assistant, "\n\n"...)
	}
	t.assistant = append(t.assistant, text...)
}

// show passes the texts on and forgets them.
func (t *turnTexts) show(i int, see func(i int, user, assistant string)) {
	see(i, alias(t.user), alias(t.assistant))
	t.user, t.assistant = t.user[:0], t.assistant[:0]
}

// alias returns b as a string that changes with it.
func alias(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
