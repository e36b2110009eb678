package main

import (
	"context"
	"strings"

	"lens/internal/boot"
	"lens/tui"
)

// What the explorer can do besides looking: each work has a Lens of its own, because the explorer goes on reading with its one.

// importWork imports an export, and embeds what came in where that costs nothing and sends nothing.
func (s *session) importWork(l *boot.Lens) func(path string) tui.Work {
	return func(path string) tui.Work {
		return tui.Work{Name: "importing", Unit: "bytes", Do: func(ctx context.Context, report func(done, total int64)) (string, error) {
			writer := l.Beside("import")
			defer func() { _ = writer.Close() }()
			receipt, err := writer.Import(ctx, []string{path}, boot.ImportOptions{Progress: func(p boot.Progress) { report(p.Done, p.Total) }})
			if err != nil {
				return "", err
			}
			if isEmpty(receipt) {
				return "there is nothing to read in " + path, nil
			}
			said := came(receipt)
			if s.embedWork(l) != nil {
				said += "; . makes new turns searchable by meaning"
			}
			return said, nil
		}}
	}
}

// came says what an import brought.
func came(r *boot.Receipt) string {
	c := r.Conversations
	return strings.Join([]string{
		grouped(c.New) + " new", grouped(c.Updated) + " updated", count(c.Unchanged, "unchanged conversation"),
	}, ", ")
}

// embedWork gives every turn a vector with the built-in model that the archive is searched by; nil where there is none.
func (s *session) embedWork(l *boot.Lens) *tui.Work {
	if m, err := l.EmbeddingModel(); err != nil || m == nil || !m.Builtin() {
		return nil
	}
	return &tui.Work{Name: "embedding", Unit: "turns", Do: func(ctx context.Context, report func(done, total int64)) (string, error) {
		writer := l.Beside("embed")
		defer func() { _ = writer.Close() }()
		if model, err := writer.KeepUp(ctx); err != nil || model == nil {
			return "there is nothing to embed with; lens embed says more", err
		}
		_, err := writer.Embed(ctx, false, func(p boot.Progress) { report(p.Done, p.Total) })
		return "every turn can be searched by meaning", err
	}}
}
