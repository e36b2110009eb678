package postgres

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"
	pgxvector "github.com/pgvector/pgvector-go/pgx"
)

// bulkSize is the number of bytes that are collected before rows are sent.
const bulkSize = 4 << 20

// bulk collects rows for one table and sends them with COPY, replacing the rows with the same ids.
type bulk struct {
	conn  *conn
	copy  string                                                    // the named query
	clear func(ctx context.Context, ids []uuid.UUID) (int64, error) // removes rows by id; nil: no such rows

	rows     []byte // in the binary format of COPY
	ids      []uuid.UUID
	seen     map[uuid.UUID]struct{}
	replaced int64 // number of removed rows
}

// copyHeader opens the binary format: a signature, no flags, no extension.
const copyHeader = "PGCOPY\n\xff\r\n\x00" + "\x00\x00\x00\x00" + "\x00\x00\x00\x00"

// add collects a row of the given fields, in the order of the COPY.
// if one of them has the same id.
func (b *bulk) add(ctx context.Context, id uuid.UUID, fields ...any) error {
	if _, repeated := b.seen[id]; repeated || len(b.rows) > bulkSize {
		if err := b.flush(ctx); err != nil {
			return err
		}
	}
	if len(b.rows) == 0 {
		b.rows = append(b.rows, copyHeader...)
	}
	if b.clear != nil {
		if b.seen == nil {
			b.seen = make(map[uuid.UUID]struct{})
		}
		b.seen[id] = struct{}{}
		b.ids = append(b.ids, id)
	}
	b.rows = binary.BigEndian.AppendUint16(b.rows, uint16(len(fields)))
	for _, field := range fields {
		b.append(field)
	}
	return nil
}

// append encodes one field: its length in four bytes, -1 for NULL, then its bytes.
func (b *bulk) append(field any) {
	start := len(b.rows)
	b.rows = append(b.rows, 0, 0, 0, 0)
	switch v := bindOne(field).(type) {
	case nil:
		copy(b.rows[start:], "\xff\xff\xff\xff")
		return
	case [16]byte:
		b.rows = append(b.rows, v[:]...)
	case string:
		b.rows = append(b.rows, v...)
	case []byte:
		b.rows = append(b.rows, v...)
	case bool:
		b.rows = append(b.rows, 0)
		if v {
			b.rows[len(b.rows)-1] = 1
		}
	case int16:
		b.rows = binary.BigEndian.AppendUint16(b.rows, uint16(v))
	case int32:
		b.rows = binary.BigEndian.AppendUint32(b.rows, uint32(v))
	case int64:
		b.rows = binary.BigEndian.AppendUint64(b.rows, uint64(v))
	case pgvector.HalfVector:
		b.rows, _ = pgxvector.HalfVectorCodec{}.PlanEncode(nil, 0, pgx.BinaryFormatCode, v).Encode(v, b.rows) // cannot fail
	default:
		panic(fmt.Sprintf("postgres: cannot copy a %T", field))
	}
	binary.BigEndian.PutUint32(b.rows[start:], uint32(len(b.rows)-start-4))
}

// flush sends the collected rows.
func (b *bulk) flush(ctx context.Context) error {
	if len(b.rows) == 0 {
		return nil
	}
	if b.clear != nil {
		replaced, err := b.clear(ctx, b.ids)
		if err != nil {
			return err
		}
		b.replaced += replaced
	}
	b.rows = append(b.rows, 0xff, 0xff)
	if _, err := b.conn.PgConn().CopyFrom(ctx, bytes.NewReader(b.rows), queries.Get(b.copy)); err != nil {
		return fmt.Errorf("%s: %w", b.copy, err)
	}
	b.rows, b.ids = b.rows[:0], b.ids[:0]
	clear(b.seen)
	return nil
}

// bulk returns a bulk for the query copy, which first removes rows with the query clear.
func (c *conn) bulk(copy, clear string) bulk {
	return bulk{conn: c, copy: copy, clear: func(ctx context.Context, ids []uuid.UUID) (int64, error) {
		return c.run(ctx, clear, ids)
	}}
}

// now returns the creation time for a row.
func now() time.Time { return time.UnixMicro(time.Now().UnixMicro()).UTC() }
