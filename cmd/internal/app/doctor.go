package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"lens/cmd/internal/config"
	"lens/internal/errs"
	"lens/migrations"
	"lens/retrieval"
	"lens/store"
)

// Status is the result of a check.
type Status string

// A warning is worth knowing; a failure needs fixing.
const (
	OK   Status = "ok"
	Warn Status = "warn"
	Fail Status = "fail"
)

// Check is one line of a diagnosis.
type Check struct {
	Name    string `json:"name"`
	Status  Status `json:"status"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"` // the next step
}

// Diagnose checks everything that a user can set up. It changes nothing, and dials nothing but the database.
func (l *App) Diagnose(ctx context.Context) []Check {
	checks := []Check{l.checkFolder(), l.checkSpace(), l.checkVault()}
	st, check := l.checkArchive(ctx)
	checks = append(append(checks, check), l.checkSynonyms()...)
	if st != nil {
		defer st.Close()
		keywords := checkKeywords(st)
		checks = append(checks, checkSchema(l.dialect()), keywords, checkCounts(ctx, st), l.checkGeneration(ctx, st))
		if indexer, ok := st.(store.VectorIndexer); ok {
			checks = append(checks, checkIndex(ctx, indexer))
		}
		if keywords.Status == OK { // opening for writing would rebuild the keyword index
			checks = append(checks, l.checkWriter(ctx))
		}
	}
	return append(checks, l.checkModel(), l.checkNetwork())
}

// Failed returns the failed check that describes err.
func Failed(name string, err error) Check {
	c := Check{Name: name, Status: Fail, Message: "internal error"}
	if told := Explain(err); len(told) > 0 && told[0].Message != "" {
		c.Message, c.Hint = told[0].Message, told[0].Hint
	}
	return c
}

func (l *App) dialect() migrations.Dialect {
	if l.cfg.DatabaseURL != "" {
		return migrations.Postgres
	}
	return migrations.SQLite
}

// checkArchive opens the archive without changing it. The store is nil if there is none to close.
func (l *App) checkArchive(ctx context.Context) (store.Store, Check) {
	st, err := l.openQuietly(ctx)
	switch {
	case errs.CodeOf(err) == errs.NotFound, errs.CodeOf(err) == errs.Locked:
		c := Failed("archive", err)
		c.Status = Warn
		return nil, c
	case err != nil:
		return nil, Failed("archive", err)
	}
	where := "SQLite in " + l.cfg.DataDir
	if l.dialect() == migrations.Postgres {
		where = "Postgres at " + l.Place()
	}
	return st, Check{Name: "archive", Status: OK, Message: where + " answers"}
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
func checkSchema(d migrations.Dialect) Check {
	return Check{Name: "schema", Status: OK, Message: fmt.Sprintf("version %d (current)", migrations.Latest(d))}
}

func checkKeywords(st store.Store) Check {
	if err := keywordIndex(st); err != nil {
		return Failed("keywords", err)
	}
	return Check{Name: "keywords", Status: OK, Message: "the word index is current"}
}

func checkCounts(ctx context.Context, st store.Store) Check {
	o, err := retrieval.New(st, nil).Overview(ctx)
	if err != nil {
		return Failed("turns", err)
	}
	if o.Turns+o.OffPath == 0 {
		return Check{Name: "turns", Status: Warn, Message: "the archive is empty", Hint: "run lens import PATH"}
	}
	message := fmt.Sprintf("%d in %d conversations", o.Turns, o.Conversations)
	if o.First != nil {
		message += fmt.Sprintf(", %s to %s", o.First.Format(time.DateOnly), o.Last.Format(time.DateOnly))
	}
	message += fmt.Sprintf("; %d undated, %d on abandoned branches", o.Undated, o.OffPath)
	return Check{Name: "turns", Status: OK, Message: message}
}

// checkGeneration compares the stored vectors with the model that queries would use.
func (l *App) checkGeneration(ctx context.Context, st store.Store) Check {
	all, err := st.Generations(ctx)
	if err != nil {
		return Failed("vectors", err)
	}
	c := Check{Name: "vectors", Status: OK}
	if len(all) == 0 || !all[0].Active || all[0].Vectors == 0 {
		c.Status, c.Message, c.Hint = Warn, "none: searching by words only", l.MeaningHint(0)
		return c
	}
	g := all[0]
	c.Message = fmt.Sprintf("%d from %s (%s), %d dimensions", g.Vectors, g.Model, g.Provider, g.Dim)
	pending, err := st.CountPending(ctx, g.ID, store.Filter{})
	if err != nil {
		return Failed("vectors", err)
	}
	if pending > 0 {
		c.Status, c.Hint = Warn, "run lens embed to continue"
		c.Message += fmt.Sprintf("; %d turns have no vector yet", pending)
	}
	if m, err := l.EmbeddingModel(); err == nil && m != nil && (m.Name != g.Model || m.Provider != g.Provider) {
		c.Status = Warn
		c.Hint = "run lens embed to switch to " + m.Name + ", or set LENS_EMBEDDING_MODEL=" + g.Model + " to stay"
		c.Message += fmt.Sprintf("; the configured model is %s (%s)", m.Name, m.Provider)
	}
	return c
}

// checkIndex checks whether the vector index is missing or incomplete.
func checkIndex(ctx context.Context, indexer store.VectorIndexer) Check {
	vectors, err := indexer.UnindexedVectors(ctx)
	switch {
	case err != nil:
		return Failed("index", err)
	case vectors > 0:
		return Check{
			Name: "index", Status: Warn,
			Message: fmt.Sprintf("missing for %d vectors: searching by meaning is exact, but slow", vectors),
			Hint:    "run lens embed to build it",
		}
	}
	return Check{Name: "index", Status: OK, Message: "up to date, or not needed for so few vectors"}
}

// errUndo rolls back a transaction on purpose.
var errUndo = errors.New("rolled back on purpose")

// checkWriter starts a write transaction and rolls it back, which shows whether another process writes and whether this
// one may.
func (l *App) checkWriter(ctx context.Context) Check {
	err := l.tryWriting(ctx)
	if errors.Is(err, errUndo) {
		return Check{Name: "writer", Status: OK, Message: "the archive is writable, and no other process is writing"}
	}
	c := Failed("writer", err)
	c.Status = Warn // reading still works
	return c
}

// tryWriting returns errUndo if the archive can be written now, else why not.
func (l *App) tryWriting(ctx context.Context) error {
	st, err := l.openWith(ctx, access{wait: 200 * time.Millisecond})
	if err != nil {
		return err
	}
	return errors.Join(st.Update(ctx, func(store.Tx) error { return errUndo }), st.Close())
}

func (l *App) checkModel() Check {
	m, err := l.EmbeddingModel()
	switch {
	case err != nil && errs.CodeOf(err) == errs.Blocked:
		return Check{Name: "model", Status: Warn, Message: Failed("", err).Message, Hint: Failed("", err).Hint}
	case err != nil:
		return Failed("model", err)
	case m == nil && l.cfg.Embedding.Kind == config.None && l.cfg.Origin("embedding") != "default":
		return Check{Name: "model", Status: OK, Message: "none, as configured: searching by words only"}
	case m == nil:
		return Check{Name: "model", Status: Warn, Message: "none: searching by words only", Hint: l.MeaningHint(0)}
	}
	if m.Provider == builtinProvider {
		return l.checkBuiltin(m.Name)
	}
	message := m.Name + " (" + m.Provider + "), on this machine"
	if m.Server != "" {
		message = m.Name + " (" + m.Provider + ") at " + m.Server +
			"; queries are sent there, turns only when you run lens embed"
	}
	return Check{Name: "model", Status: OK, Message: message}
}

// checkBuiltin opens a built-in model, since its files may be damaged.
func (l *App) checkBuiltin(name string) Check {
	m, err := l.models().Open(name)
	if err != nil {
		return Failed("model", err)
	}
	defer m.Close()
	message := name + " (built in, from " + l.cfg.ModelsDir + ")"
	if s, ok := l.models().Speed(name); ok {
		message += fmt.Sprintf(", measured at %.0f turns/s", s.Turns)
	}
	return Check{Name: "model", Status: OK, Message: message}
}

func (l *App) checkNetwork() Check {
	e := l.cfg.Embedding
	switch {
	case l.cfg.Offline:
		return Check{Name: "network", Status: OK, Message: "offline: connects to this machine only"}
	case e.Key != "" && strings.HasPrefix(e.BaseURL, "http://") && !isLoopback(hostname(e.BaseURL)):
		return Check{
			Name: "network", Status: Warn, Message: "the key and your texts are sent unencrypted to " + hostname(e.BaseURL),
			Hint: "use an https:// base URL",
		}
	}
	return Check{Name: "network", Status: OK, Message: "nothing leaves this machine unless you say so"}
}
