package sqlite

import (
	"context"
	"unsafe"

	"lens/internal/errs"
	"lens/store"
)

var _ store.TextReader = (*Store)(nil)

// EachText implements store.TextReader.
func (s *Store) EachText(ctx context.Context, ords []store.Ord, see func(i int, user, assistant string)) error {
	return s.read(ctx, "texts", func(c *conn) error {
		var t turnTexts
		for i, ord := range ords {
			if err := t.read(c, ord); err != nil {
				return err
			}
			see(i, alias(t.user), alias(t.assistant))
		}
		return nil
	})
}

// turnTexts reads the texts of one turn after the other into the same memory.
type turnTexts struct{ user, assistant, scratch []byte }

func (t *turnTexts) read(c *conn, ord store.Ord) error {
	t.user, t.assistant = t.user[:0], t.assistant[:0]
	exists, asked := false, false
	err := c.each("TextsByOrd", []any{ord}, func(r row) error {
		exists = true
		if r.null(1) {
			return nil
		}
		text, err := t.unpack(r.ColumnRawBlob(1))
		switch {
		case err != nil || len(text) == 0:
			return err
		case r.ColumnBool(0):
			t.user, asked = append(t.user[:0], text...), true
			return nil
		case len(t.assistant) > 0:
			t.assistant = append(t.assistant, "\n\n"...)
		}
		t.assistant = append(t.assistant, text...)
		return nil
	})
	if err == nil && !exists {
		err = turnGone("sqlite: texts")
	}
	if err != nil || asked {
		return err
	}
	return c.each("AskedTextByOrd", []any{ord}, func(r row) error {
		text, err := t.unpack(r.ColumnRawBlob(0))
		t.user = append(t.user[:0], text...)
		return err
	})
}

// turnGone returns the error of op for an ordinal that no turn has.
func turnGone(op string) error {
	return &errs.Error{
		Code: errs.NotFound, Op: op, Message: "a turn is gone", Hint: "search again; it may have been forgotten",
	}
}

// unpack is unpackText, but its result is valid until the next call.
func (t *turnTexts) unpack(body []byte) (text []byte, err error) {
	text, err = unpackTextInto(t.scratch, body)
	t.scratch = text
	return text, err
}

// alias returns b as a string that changes with it.
func alias(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
