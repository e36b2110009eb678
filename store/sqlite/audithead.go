package sqlite

import (
	"context"
	"errors"
	"time"

	"lens/store"
)

// An archive remembers how far the record of the offline retriever's decisions went, which lies outside of it: a record whose end was cut off
// is then told from one that never was longer, and only who can open the archive can make it forget.

// auditLog is the name of the record: an archive in a folder has one.
const auditLog = ""

// AuditHead returns what SetAuditHead kept last; nil for nothing.
func (s *Store) AuditHead(ctx context.Context) (head []byte, err error) {
	err = s.read(ctx, "audit head", func(c *conn) error {
		return c.each("AuditHead", []any{auditLog}, func(r row) error {
			head = []byte(r.ColumnText(0))
			return nil
		})
	})
	return head, err
}

// SetAuditHead replaces what is remembered; with nil nothing is. It waits for nobody. Errors: unavailable, also where somebody else is writing.
func (s *Store) SetAuditHead(ctx context.Context, head []byte) error {
	if s.readOnly {
		return &store.Error{Code: store.CodeUnavailable, Op: "sqlite: keep audit head", Err: errReadOnly}
	}
	select {
	case _, open := <-s.writing:
		if !open {
			return s.explain(ctx, "keep audit head", errClosed)
		}
	default:
		return s.lock.busyError()
	}
	defer func() { s.writing <- struct{}{} }()
	return s.explain(ctx, "keep audit head", s.writer.setAuditHead(ctx, head))
}

// setAuditHead needs no writer's lock: no row of it is any other writer's, and SQLite keeps the commits apart.
func (c *conn) setAuditHead(ctx context.Context, head []byte) (err error) {
	if err := c.BusyTimeout(0); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.BusyTimeout(busyTimeout)) }()
	return c.inTransaction(ctx, "BEGIN IMMEDIATE", func(c *conn) error {
		if head == nil {
			return c.run("DropAuditHead", auditLog)
		}
		return c.run("SetAuditHead", auditLog, string(head))
	})
}

// busyTimeout is what pragmas say.
const busyTimeout = 10 * time.Second
