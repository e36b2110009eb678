package sqlite

import (
	"context"

	"lens/store"
)

var _ store.ShownReader = (*Store)(nil)

// Shown implements store.ShownReader. The hash of the text that would be embedded now proves what was: looking it up
// takes one page of an index, where the row of a vector is a page of its own, and its text has to be unpacked.
func (s *Store) Shown(
	ctx context.Context, ords []store.Ord,
) (turns []store.Turn, embedded []store.Embedded, err error) {
	err = s.read(ctx, "shown turns", func(c *conn) error {
		active, err := c.number("ActiveGeneration")
		if err != nil {
			return err
		}
		turns, embedded = make([]store.Turn, len(ords)), make([]store.Embedded, len(ords))
		for i, ord := range ords {
			found, err := c.readTurn(&turns[i], "TurnByOrd", ord)
			if err == nil && !found {
				err = turnGone("sqlite: shown turns")
			}
			if err == nil && active != 0 {
				embedded[i], err = c.embeddedOtherwise(&turns[i], store.GenerationID(active))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return turns, embedded, err
}

// embeddedOtherwise returns what the vector of t in the active generation was made of, zero if that is unknown or t's
// EmbeddedText.
func (c *conn) embeddedOtherwise(t *store.Turn, active store.GenerationID) (e store.Embedded, err error) {
	if t.Embeddable {
		same, err := c.number("IsEmbedded", store.ContentHash(t.EmbeddedText()), t.ID, active)
		if err != nil || same != 0 {
			return e, err
		}
	}
	if e, err = c.embedded(t.ID); e.Text == "" {
		return store.Embedded{}, err
	}
	return e, err
}
