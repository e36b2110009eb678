package main

import (
	"context"
	"io"
	"sync/atomic"

	"github.com/google/uuid"

	"lens/cmd/internal/archive"
	tui "lens/tui/app"
)

// exploredArchive is the archive as the explorer uses it.
type exploredArchive struct {
	*archive.Archive
	redact *redactor
	report *reporter
	notice atomic.Pointer[string] // the latest while the archive opens
}

// archive returns the archive. Nothing may be printed while the explorer is on screen: it keeps what opening reports.
func (e *explorer) archive() *exploredArchive {
	a := &exploredArchive{Archive: e.app.Archive, redact: e.env.Redact, report: e.env.Report}
	a.Notice = func(sentence string) { a.notice.Store(&sentence) }
	return a
}

// Open opens the archive. Its engine hides queries from the log.
func (a *exploredArchive) Open(ctx context.Context) (tui.Engine, error) {
	engine, err := a.Engine(ctx)
	if err != nil {
		return nil, err // do not wrap a nil pointer in the interface
	}
	return redactedEngine{engine, a.redact}, nil
}

// Warm makes the first search as fast as the second. The search reports what fails.
func (a *exploredArchive) Warm(ctx context.Context) {
	if engine, err := a.Engine(ctx); err == nil {
		_ = engine.Warm(ctx)
	}
}

// Opening returns the latest notice of the archive while it opens.
func (a *exploredArchive) Opening() string {
	if sentence := a.notice.Load(); sentence != nil {
		return *sentence
	}
	return ""
}

// Limit explains why an open archive is read-only.
func (a *exploredArchive) Limit(ctx context.Context) (badge, why string) {
	err := a.ReadOnly(ctx)
	if err == nil || ctx.Err() != nil {
		return "", ""
	}
	why, _ = a.report.explain(err)
	return "read-only", "read-only: " + why
}

// FileTypes lists the extensions of exports.
func (a *exploredArchive) FileTypes() string { return archive.ExportFormats.Extensions() }

// Write writes turns in the format that the name of the file asks for.
func (a *exploredArchive) Write(ctx context.Context, w io.Writer, file string, turns []uuid.UUID) error {
	format, ok := archive.ExportFormats.OfFile(file)
	if !ok {
		format, _ = archive.ExportFormats.Named("md")
	}
	_, err := a.Export(ctx, w, archive.ExportOptions{Format: format, IDs: turns})
	return err
}
