package sqlite

import (
	"context"
	"errors"
	"time"

	"lens/internal/errs"
	"lens/store/failure"
)

// The archive stores the head of the audit log, a file beside it that records the decisions of the offline
// retriever. A truncated log is thereby detected, and only a process that can open the archive can reset the head.

// auditLog is the name of the log: an archive in a directory has one.
const auditLog = ""

// AuditHead returns the stored head of the audit log; nil for none.
func (s *Store) AuditHead(ctx context.Context) (head []byte, err error) {
	err = s.read(ctx, "audit head", func(c *conn) error {
		return c.each("AuditHead", []any{auditLog}, func(r row) error {
			head = []byte(r.ColumnText(0))
			return nil
		})
	})
	return head, err
}

// SetAuditHead stores the head of the audit log, or removes it if head is nil. It does not wait for
// other writers. Errors: unavailable, also if another writer is active.
func (s *Store) SetAuditHead(ctx context.Context, head []byte) error {
	if s.readOnly {
		return &errs.Error{Code: errs.Unavailable, Op: "sqlite: set audit head", Err: failure.ErrReadOnly}
	}
	select {
	case _, open := <-s.writing:
		if !open {
			return s.explain(ctx, "set audit head", failure.ErrClosed)
		}
	default:
		return s.lock.busyError()
	}
	defer func() { s.writing <- struct{}{} }()
	return s.explain(ctx, "set audit head", s.writer.setAuditHead(ctx, head))
}

// setAuditHead works without the writer lock: no other writer touches its row, and SQLite serializes
// the commits.
func (c *conn) setAuditHead(ctx context.Context, head []byte) (err error) {
	if err := c.BusyTimeout(0); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.BusyTimeout(busyTimeout)) }()
	return c.inTransaction(ctx, "BeginImmediate", func(c *conn) error {
		if head == nil {
			return c.run("DropAuditHead", auditLog)
		}
		return c.run("SetAuditHead", auditLog, string(head))
	})
}

// busyTimeout is the value in pragmas.
const busyTimeout = 10 * time.Second
