package sqlite

import (
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/ncruces/go-sqlite3"

	"lens/store"
)

// bind sets all parameters.
func bind(stmt *sqlite3.Stmt, args []any) error {
	b := binder{stmt: stmt}
	for i, arg := range args {
		b.bind(i+1, arg)
	}
	return b.err
}

// binder binds parameters, which a statement keeps until they are bound again. It binds a zero id or time as NULL,
// and does nothing after an error.
type binder struct {
	stmt *sqlite3.Stmt
	err  error
}

// exec executes the statement, which returns no rows.
func (b *binder) exec() error {
	if b.err == nil {
		b.err = b.stmt.Exec()
	}
	return b.err
}

func (b *binder) id(i int, id uuid.UUID) {
	if id == uuid.Nil {
		b.null(i)
		return
	}
	b.blob(i, id[:])
}

func (b *binder) time(i int, t time.Time) {
	if t.IsZero() {
		b.null(i)
		return
	}
	b.int(i, store.Micros(t))
}

func (b *binder) null(i int) {
	if b.err == nil {
		b.err = b.stmt.BindNull(i)
	}
}

func (b *binder) blob(i int, v []byte) {
	if b.err == nil {
		b.err = b.stmt.BindBlob(i, v)
	}
}

func (b *binder) text(i int, v string) {
	if b.err == nil {
		b.err = b.stmt.BindText(i, v)
	}
}

func (b *binder) bool(i int, v bool) {
	if b.err == nil {
		b.err = b.stmt.BindBool(i, v)
	}
}

func (b *binder) int(i int, v int64) {
	if b.err == nil {
		b.err = b.stmt.BindInt64(i, v)
	}
}

func (b *binder) bind(i int, arg any) {
	switch v := arg.(type) {
	case nil:
		b.null(i)
	case uuid.UUID:
		b.id(i, v)
	case store.Hash:
		b.blob(i, v[:])
	case time.Time:
		b.time(i, v)
	case []byte:
		b.blob(i, v)
	case string:
		b.text(i, v)
	case bool:
		b.bool(i, v)
	case int:
		b.int(i, int64(v))
	case int64:
		b.int(i, v)
	case store.Ord:
		b.int(i, int64(v))
	case store.GenerationID:
		b.int(i, int64(v))
	default:
		if b.err == nil {
			b.err = fmt.Errorf("cannot bind a %T", arg)
		}
	}
}
