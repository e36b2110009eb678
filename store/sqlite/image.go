package sqlite

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/util/ioutil"
	"github.com/ncruces/go-sqlite3/vfs/readervfs"

	"lens/store"
)

// An image is an archive for publishing: a run of bytes that is the same for the same content and can be read at
// any place, also inside another file. It is not encrypted.

var _ store.VectorReader = (*Store)(nil)

// Vectors implements store.VectorReader.
func (s *Store) Vectors(ctx context.Context, ords []store.Ord) (rows [][]byte, err error) {
	err = s.withDense(ctx, "vectors", func(d *dense) error {
		rows = make([][]byte, len(ords))
		for i, ord := range ords {
			half, err := d.halvesOf(ord)
			if err != nil {
				return err
			}
			rows[i] = bytes.Clone(half)
		}
		return nil
	})
	return rows, err
}

// halvesOf returns the vector of a turn, valid as long as d; nil for none.
func (d *dense) halvesOf(ord store.Ord) ([]byte, error) {
	row, alive := d.catalog.Row(ord)
	if !alive {
		return nil, nil
	}
	for _, p := range []part{d.base, d.tail} {
		if at, ok := p.find(row); ok {
			return p.index.Halves(at)
		}
	}
	return nil, nil
}

// WriteImage writes the archive as an image to path, which must not exist. Use it on an archive made
// for this purpose: it also removes the creation times of rows from the archive.
func (s *Store) WriteImage(ctx context.Context, path string) error {
	if err := s.beginWriting(ctx); err != nil {
		return s.explain(ctx, "image", err)
	}
	defer s.endWriting()
	err := s.writer.inTransaction(ctx, "BEGIN IMMEDIATE", func(c *conn) error {
		for _, name := range []string{"ForgetMigrationTimes", "ForgetTurnTimes", "ForgetCommits"} {
			if err := c.run(name); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		s.writer.SetInterrupt(ctx)
		defer s.writer.SetInterrupt(context.Background())
		err = s.writer.Exec("VACUUM INTO " + sqlite3.Quote(path))
	}
	return s.explain(ctx, "image", err)
}

// images counts the opened images; the count names the next one.
var images atomic.Int64

// OpenImage opens an image for reading. Its bytes must stay available and unchanged until the Store is
// closed. Errors: as Open.
func OpenImage(ctx context.Context, image *io.SectionReader) (*Store, error) {
	s := newStore(Options{ReadOnly: true})
	s.image = fmt.Sprintf("lens-image-%d", images.Add(1))
	readervfs.Create(s.image, ioutil.NewSizeReaderAt(image))
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	return s, nil
}
