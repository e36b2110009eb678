package shard

import (
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"

	"lens/store"
	"lens/store/sqlite"
	"lens/store/vecindex"
)

// contents are the data of a shard: whole conversations, and their turns in catalog order, numbered from 1.
type contents struct {
	conversations []store.Conversation // without turns
	turns         []store.Turn
	terms         []store.Terms // of each turn
	vectors       [][]byte      // half-precision vector of each turn, nil for none
	dims          int
}

// pack writes the object of c to a file in the folder dir, and returns its path and Ref. Equal contents make
// equal bytes.
func (c *contents) pack(ctx context.Context, dir, name string) (path string, ref Ref, err error) {
	work, err := os.MkdirTemp(dir, "pack-")
	if err != nil {
		return "", ref, err
	}
	defer os.RemoveAll(work)
	image := filepath.Join(work, "image")
	if err := c.writeImage(ctx, filepath.Join(work, "archive"), image); err != nil {
		return "", ref, err
	}
	f, err := os.CreateTemp(dir, "object-")
	if err != nil {
		return "", ref, err
	}
	defer func() {
		err = errors.Join(err, f.Close())
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	if err := c.writeObject(f, image); err != nil {
		return "", ref, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", ref, err
	}
	size, sum, err := digest(f)
	return f.Name(), Ref{Key: name + "-" + sum[:nameDigits], Size: size, SHA256: sum}, err
}

// writeImage writes an image of c, through an archive in dir.
func (c *contents) writeImage(ctx context.Context, dir, image string) error {
	return sqlite.WriteImage(ctx, dir, image, func(tx store.Tx) error {
		if err := tx.PutConversations(ctx, c.conversations); err != nil {
			return err
		}
		for i := range c.conversations {
			if err := tx.PutMessages(ctx, c.conversations[i].ID, c.conversations[i].Messages); err != nil {
				return err
			}
		}
		if _, err := tx.ReserveOrds(ctx, len(c.turns)); err != nil {
			return err
		}
		ords := make([]store.Ord, len(c.turns))
		for i := range c.turns {
			ords[i] = store.Ord(i + 1)
			c.turns[i].Ord = ords[i]
		}
		if err := tx.PutTurns(ctx, c.turns); err != nil {
			return err
		}
		return tx.AddTerms(ctx, ords, c.terms)
	})
}

// writeObject writes the object: vectors, image, footer.
func (c *contents) writeObject(w io.Writer, image string) error {
	index, err := vecindex.EncodePublished(c.vectorIndex())
	if err != nil {
		return err
	}
	f, err := os.Open(image)
	if err != nil {
		return err
	}
	defer f.Close()
	at := aligned(int64(len(index)))
	if _, err := w.Write(append(index, make([]byte, at-int64(len(index)))...)); err != nil {
		return err
	}
	length, err := io.Copy(w, f)
	if err != nil {
		return err
	}
	_, err = w.Write(footer{int64(len(index)), at, length, int64(len(c.turns))}.encode())
	return err
}

// vectorIndex returns the contents of the vector index: a row for each turn with a vector.
func (c *contents) vectorIndex() vecindex.Contents {
	x := vecindex.Contents{Dim: c.dims}
	for i, half := range c.vectors {
		if half != nil {
			x.Ords, x.Keys = append(x.Ords, store.Ord(i+1)), append(x.Keys, int64(i+1))
		}
	}
	x.Rows = c.vectorRows()
	return x
}

func (c *contents) vectorRows() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, half := range c.vectors {
			if half != nil && !yield(half, nil) {
				return
			}
		}
	}
}
