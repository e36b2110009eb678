package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lens/cmd/internal/config"
	"lens/cmd/internal/doctor"
	"lens/cmd/internal/network"
	"lens/internal/errs"
	"lens/migrations"
	"lens/retrieval"
	"lens/store"
)

// diagnosis returns the probes of everything that a user can set up. They dial nothing but the database.
func (l *App) diagnosis() doctor.Doctor {
	d := doctor.Doctor{
		doctor.Folder(l.cfg.DataDir, l.cfg.Origin("data_dir")),
		l.checkVault,
		l.checkArchive,
		func(context.Context) []doctor.Check { return []doctor.Check{l.checkModel()} },
		network.Check(l.cfg),
	}
	if l.cfg.Offline {
		d = append(d, l.DiagnoseOffline)
	}
	return d
}

// checkArchive checks the archive and the files next to it.
func (l *App) checkArchive(ctx context.Context) []doctor.Check {
	st, check := l.checkOpening(ctx)
	checks := append([]doctor.Check{check}, l.checkSynonyms()...)
	if st == nil {
		return checks
	}
	defer st.Close()
	keywords := checkKeywords(st)
	checks = append(checks, checkSchema(l.dialect()), keywords, checkCounts(ctx, st), l.checkGeneration(ctx, st))
	if indexer, ok := st.(store.VectorIndexer); ok {
		checks = append(checks, checkIndex(ctx, indexer))
	}
	if keywords.Status == doctor.OK { // opening for writing would rebuild the keyword index
		checks = append(checks, l.checkWriter(ctx))
	}
	return checks
}

func (l *App) dialect() migrations.Dialect {
	if l.cfg.DatabaseURL != "" {
		return migrations.Postgres
	}
	return migrations.SQLite
}

// checkOpening opens the archive without changing it. The store is nil if there is none to close.
func (l *App) checkOpening(ctx context.Context) (store.Store, doctor.Check) {
	st, err := l.openQuietly(ctx)
	switch {
	case errs.CodeOf(err) == errs.NotFound, errs.CodeOf(err) == errs.Locked:
		return nil, doctor.Warned("archive", err)
	case err != nil:
		return nil, doctor.Failed("archive", err)
	}
	where := "SQLite in " + l.cfg.DataDir
	if l.dialect() == migrations.Postgres {
		where = "Postgres at " + l.Place()
	}
	return st, doctor.Check{Name: "archive", Status: doctor.OK, Message: where + " answers"}
}

func (l *App) openQuietly(ctx context.Context) (store.Store, error) {
	if l.dialect() == migrations.SQLite {
		if err := l.mustExist(); err != nil {
			return nil, err
		}
	}
	return l.openWith(ctx, access{readOnly: true})
}

// checkSchema runs after the archive has been opened: an archive with another version does not open.
func checkSchema(d migrations.Dialect) doctor.Check {
	return doctor.Check{Name: "schema", Status: doctor.OK, Message: fmt.Sprintf("version %d (current)", migrations.Latest(d))}
}

func checkKeywords(st store.Store) doctor.Check {
	if err := keywordIndex(st); err != nil {
		return doctor.Failed("keywords", err)
	}
	return doctor.Check{Name: "keywords", Status: doctor.OK, Message: "the word index is current"}
}

func checkCounts(ctx context.Context, st store.Store) doctor.Check {
	o, err := retrieval.New(st, nil).Overview(ctx)
	if err != nil {
		return doctor.Failed("turns", err)
	}
	if o.Turns+o.OffPath == 0 {
		return doctor.Check{Name: "turns", Status: doctor.Warn, Message: "the archive is empty", Hint: "run lens import PATH"}
	}
	message := fmt.Sprintf("%d in %d conversations", o.Turns, o.Conversations)
	if o.First != nil {
		message += fmt.Sprintf(", %s to %s", o.First.Format(time.DateOnly), o.Last.Format(time.DateOnly))
	}
	message += fmt.Sprintf("; %d undated, %d on abandoned branches", o.Undated, o.OffPath)
	return doctor.Check{Name: "turns", Status: doctor.OK, Message: message}
}

// checkGeneration compares the stored vectors with the model that queries would use.
func (l *App) checkGeneration(ctx context.Context, st store.Store) doctor.Check {
	all, err := st.Generations(ctx)
	if err != nil {
		return doctor.Failed("vectors", err)
	}
	c := doctor.Check{Name: "vectors", Status: doctor.OK}
	if len(all) == 0 || !all[0].Active || all[0].Vectors == 0 {
		c.Status, c.Message, c.Hint = doctor.Warn, "none: searching by words only", l.MeaningHint(0)
		return c
	}
	g := all[0]
	c.Message = fmt.Sprintf("%d from %s (%s), %d dimensions", g.Vectors, g.Model, g.Provider, g.Dim)
	pending, err := st.CountPending(ctx, g.ID, store.Filter{})
	if err != nil {
		return doctor.Failed("vectors", err)
	}
	if pending > 0 {
		c.Status, c.Hint = doctor.Warn, "run lens embed to continue"
		c.Message += fmt.Sprintf("; %d turns have no vector yet", pending)
	}
	if m, err := l.EmbeddingModel(); err == nil && m != nil && (m.Name != g.Model || m.Provider != g.Provider) {
		c.Status = doctor.Warn
		c.Hint = "run lens embed to switch to " + m.Name + ", or set LENS_EMBEDDING_MODEL=" + g.Model + " to stay"
		c.Message += fmt.Sprintf("; the configured model is %s (%s)", m.Name, m.Provider)
	}
	return c
}

// checkIndex checks whether the vector index is missing or incomplete.
func checkIndex(ctx context.Context, indexer store.VectorIndexer) doctor.Check {
	vectors, err := indexer.UnindexedVectors(ctx)
	switch {
	case err != nil:
		return doctor.Failed("index", err)
	case vectors > 0:
		return doctor.Check{
			Name: "index", Status: doctor.Warn,
			Message: fmt.Sprintf("missing for %d vectors: searching by meaning is exact, but slow", vectors),
			Hint:    "run lens embed to build it",
		}
	}
	return doctor.Check{Name: "index", Status: doctor.OK, Message: "up to date, or not needed for so few vectors"}
}

// errUndo rolls back a transaction on purpose.
var errUndo = errors.New("rolled back on purpose")

// checkWriter starts a write transaction and rolls it back, which shows whether another process writes and whether this
// one may.
func (l *App) checkWriter(ctx context.Context) doctor.Check {
	err := l.tryWriting(ctx)
	if errors.Is(err, errUndo) {
		return doctor.Check{Name: "writer", Status: doctor.OK, Message: "the archive is writable, and no other process is writing"}
	}
	return doctor.Warned("writer", err) // reading still works
}

// tryWriting returns errUndo if the archive can be written now, else why not.
func (l *App) tryWriting(ctx context.Context) error {
	st, err := l.openWith(ctx, access{wait: 200 * time.Millisecond})
	if err != nil {
		return err
	}
	return errors.Join(st.Update(ctx, func(store.Tx) error { return errUndo }), st.Close())
}

func (l *App) checkModel() doctor.Check {
	m, err := l.EmbeddingModel()
	switch {
	case err != nil && errs.CodeOf(err) == errs.Blocked:
		return doctor.Warned("model", err)
	case err != nil:
		return doctor.Failed("model", err)
	case m == nil && l.cfg.Embedding.Kind == config.None && l.cfg.Origin("embedding") != "default":
		return doctor.Check{Name: "model", Status: doctor.OK, Message: "none, as configured: searching by words only"}
	case m == nil:
		return doctor.Check{Name: "model", Status: doctor.Warn, Message: "none: searching by words only", Hint: l.MeaningHint(0)}
	}
	if m.Provider == builtinProvider {
		return l.checkBuiltin(m.Name)
	}
	message := m.Name + " (" + m.Provider + "), on this machine"
	if m.Server != "" {
		message = m.Name + " (" + m.Provider + ") at " + m.Server +
			"; queries are sent there, turns only when you run lens embed"
	}
	return doctor.Check{Name: "model", Status: doctor.OK, Message: message}
}

// checkBuiltin opens a built-in model, since its files may be damaged.
func (l *App) checkBuiltin(name string) doctor.Check {
	m, err := l.models().Open(name)
	if err != nil {
		return doctor.Failed("model", err)
	}
	defer m.Close()
	message := name + " (built in, from " + l.cfg.ModelsDir + ")"
	if s, ok := l.models().Speed(name); ok {
		message += fmt.Sprintf(", measured at %.0f turns/s", s.Turns)
	}
	return doctor.Check{Name: "model", Status: doctor.OK, Message: message}
}
