package sqlite

import (
	"bytes"
	"context"
	"errors"
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
	err = s.withDense(ctx, "vectors", latest, func(d *dense) error {
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

// imageSchema is the version of the schema that images have. It stays when archives get a later one, so that published
// images keep their bytes and deployed readers can read new ones. No read of an image may need more than it has.
const imageSchema = 3

// imagePage is the size of the pages of images in bytes. It stays, too: with another one, all images would be published
// again. In larger pages, small images are twice as large, and readers fetch more for each row.
const imagePage = 8 << 10

// WriteImage writes an image of what fill writes to path, which must not exist. It makes an archive for this in dir,
// a folder of its own that the caller removes.
func WriteImage(ctx context.Context, dir, path string, fill func(store.Tx) error) (err error) {
	s := newStore(Options{Dir: dir, Verb: "shard publish"})
	s.schema, s.newPage = imageSchema, imagePage
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.Update(ctx, fill); err != nil {
		return err
	}
	return s.explain(ctx, "image", s.writeImage(ctx, path))
}

// writeImage also removes the creation times of rows from the archive.
func (s *Store) writeImage(ctx context.Context, path string) error {
	if err := s.beginWriting(ctx); err != nil {
		return err
	}
	defer s.endWriting()
	err := s.writer.inTransaction(ctx, "BeginImmediate", func(c *conn) error {
		for _, name := range []string{"ForgetMigrationTimes", "ForgetTurnTimes", "ForgetCommits"} {
			if err := c.run(name); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.writer.SetInterrupt(ctx)
	defer s.writer.SetInterrupt(context.Background())
	return s.writer.Exec("VACUUM INTO " + sqlite3.Quote(path))
}

// images counts the opened images; the count names the next one.
var images atomic.Int64

// OpenImage opens an image for reading. Its bytes must stay available and unchanged until the Store is
// closed. Images of every schema from imageSchema on can be read. Errors: as Open.
func OpenImage(ctx context.Context, image *io.SectionReader) (*Store, error) {
	s := newStore(Options{ReadOnly: true})
	s.schema = imageSchema
	s.image = fmt.Sprintf("lens-image-%d", images.Add(1))
	readervfs.Create(s.image, ioutil.NewSizeReaderAt(image))
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	return s, nil
}
