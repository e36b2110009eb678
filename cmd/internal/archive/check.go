package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"lens/cmd/internal/datadir"
	"lens/cmd/internal/doctor"
	"lens/internal/errs"
	"lens/migrations"
	"lens/retrieval"
	"lens/store"
)

// Probe returns the probe of the archive. files checks the files next to it; vectors checks an open store.
func (a *Archive) Probe(files doctor.Probe, vectors func(context.Context, store.Reader) doctor.Check) doctor.Probe {
	return func(ctx context.Context) []doctor.Check {
		st, check := a.checkOpening(ctx)
		checks := slices.Concat([]doctor.Check{check}, files(ctx), a.work().check())
		if st == nil {
			return checks
		}
		defer st.Close()
		keywords := checkKeywords(st)
		checks = append(checks, checkSchema(a.dialect()), keywords, checkCounts(ctx, st), vectors(ctx, st))
		if indexer, ok := st.(store.VectorIndexer); ok {
			checks = append(checks, checkIndex(ctx, indexer))
		}
		if meter, ok := st.(store.DiskMeter); ok {
			checks = append(checks, a.checkDisk(ctx, meter))
		}
		if keywords.Status == doctor.OK { // opening for writing would rebuild the keyword index
			checks = append(checks, checkTools(ctx, st)...)
			checks = append(checks, checkFacts(ctx, st), checkLanguages(ctx, st), a.checkWriter(ctx))
		}
		return checks
	}
}

// checkTools says how to look for keys if the archive has what tools returned; else it returns nothing.
func checkTools(ctx context.Context, st store.Reader) []doctor.Check {
	catalog, err := st.Catalog(ctx)
	if err != nil {
		return []doctor.Check{doctor.Failed(secretsCheck, err)}
	}
	if !slices.ContainsFunc(catalog.Sources, func(s store.Source) bool { return s.Kind() == store.ToolResult }) {
		return nil
	}
	return []doctor.Check{{
		Name: secretsCheck, Status: doctor.OK, Message: "the archive has what tools returned, which may have keys",
		Hint: "run lens doctor --secrets to look for them",
	}}
}

func (a *Archive) dialect() migrations.Dialect {
	if a.remote() {
		return migrations.Postgres
	}
	return migrations.SQLite
}

// checkOpening opens the archive without changing it. The store is nil if there is none to close.
func (a *Archive) checkOpening(ctx context.Context) (store.Store, doctor.Check) {
	st, err := a.openQuietly(ctx)
	switch {
	case errs.CodeOf(err) == errs.NotFound, errs.CodeOf(err) == errs.Locked:
		return nil, doctor.Warned("archive", err)
	case err != nil:
		return nil, doctor.Failed("archive", err)
	}
	where := "SQLite in " + a.opts.DataDir
	if a.remote() {
		where = "Postgres at " + a.Place()
	}
	return st, doctor.Check{Name: "archive", Status: doctor.OK, Message: where + " answers"}
}

func (a *Archive) openQuietly(ctx context.Context) (store.Store, error) {
	if !a.remote() {
		if err := a.mustExist(); err != nil {
			return nil, err
		}
	}
	return a.openWith(ctx, access{readOnly: true})
}

// checkSchema runs after the archive has been opened: an archive with another version does not open.
func checkSchema(d migrations.Dialect) doctor.Check {
	message := fmt.Sprintf("version %d (current)", migrations.Latest(d))
	return doctor.Check{Name: "schema", Status: doctor.OK, Message: message}
}

func checkKeywords(st store.Store) doctor.Check {
	if err := checkKeywordIndex(st); err != nil {
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
	message += fmt.Sprintf("; %d undated; %d more on abandoned branches", o.Undated, o.OffPath)
	return doctor.Check{Name: "turns", Status: doctor.OK, Message: message}
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
	return doctor.Check{Name: "index", Status: doctor.OK, Message: "up to date; so few vectors need no index"}
}

// checkDisk says how much space the archive and its saved chats take, and which sources take it.
func (a *Archive) checkDisk(ctx context.Context, meter store.DiskMeter) doctor.Check {
	use, err := meter.DiskUse(ctx)
	if err != nil {
		return doctor.Failed("disk", err)
	}
	chats, err := a.sessionsBytes()
	if err != nil {
		return doctor.Failed("disk", err)
	}
	return doctor.Check{Name: "disk", Status: doctor.OK, Message: describeDisk(use, chats, a.remote())}
}

// describeDisk names the sources that take at least 0.1 MB, and adds up the others. chats are the bytes of saved chats,
// which are not on the server.
func describeDisk(use store.DiskUse, chats int64, remote bool) string {
	const least = 100_000 // bytes
	message, rest := inMB(use.Total+chats), use.Total
	if remote {
		message = inMB(use.Total) + " on the server"
	}
	var small, others int64
	for _, s := range use.Sources {
		bytes := s.Texts + s.Vectors
		rest -= bytes
		if bytes < least && len(use.Sources) > 1 {
			small, others = small+bytes, others+1
			continue
		}
		message += fmt.Sprintf("; %s %s", s.Source, inMB(bytes))
		if s.Vectors > 0 {
			message += fmt.Sprintf(" (vectors %s)", inMB(s.Vectors))
		}
	}
	switch {
	case others == 1:
		message += "; 1 small source " + inMB(small)
	case others > 1:
		message += fmt.Sprintf("; %d small sources %s in all", others, inMB(small))
	}
	if len(use.Sources) > 0 {
		message += "; indexes and the rest " + inMB(max(0, rest))
	}
	if chats > 0 {
		message += "; saved chats " + inMB(chats)
	}
	return message
}

// sessionsBytes returns the size of the saved chats, which are on this machine in any case.
func (a *Archive) sessionsBytes() (int64, error) {
	home, err := a.folder.Home()
	if err != nil {
		return 0, err
	}
	switch info, err := os.Stat(home.Path(datadir.BesideOf(a.opts.StateName()).Sessions())); {
	case errors.Is(err, fs.ErrNotExist):
		return 0, nil
	case err != nil:
		return 0, err
	default:
		return info.Size(), nil
	}
}

func inMB(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }

// CheckEmbeddings lists the turns with a vector whose text is unknown.
func (a *Archive) CheckEmbeddings(ctx context.Context) doctor.Check {
	st, err := a.openQuietly(ctx)
	if err != nil {
		return doctor.Failed("embeddings", err)
	}
	defer st.Close()
	left, err := store.CountVectorsWithoutText(ctx, st, false)
	if err != nil {
		return doctor.Failed("embeddings", err)
	}
	lost, err := turnsWithoutText(ctx, st)
	switch {
	case err != nil:
		return doctor.Failed("embeddings", err)
	case left > 0:
		return doctor.Check{
			Name: "embeddings", Status: doctor.Warn, Names: lost,
			Message: fmt.Sprintf("texts of %d vectors are unknown, and those of %d not yet looked for", len(lost), left),
			Hint:    "run lens, or lens turn ID --embedded, to look for them",
		}
	case len(lost) > 0:
		return doctor.Check{
			Name: "embeddings", Status: doctor.Warn, Names: lost,
			Message: fmt.Sprintf("texts of %d vectors are unknown; an older Lens kept only their hashes", len(lost)),
			Hint:    "search works; only vectors of another model would have known texts",
		}
	}
	return doctor.Check{Name: "embeddings", Status: doctor.OK, Message: "the text of every vector is known"}
}

// turnsWithoutText names each vector whose text was looked for in vain, by its turn.
func turnsWithoutText(ctx context.Context, st store.Reader) (ids []string, err error) {
	const page = 10_000
	for after := (store.Embedded{}); ; {
		some, err := st.VectorsWithoutText(ctx, true, after, page)
		if err != nil {
			return nil, err
		}
		for i := range some {
			ids = append(ids, some[i].Turn.String())
		}
		if len(some) < page {
			return ids, nil
		}
		after = some[len(some)-1]
	}
}

// errUndo rolls back a transaction on purpose.
var errUndo = errors.New("rolled back on purpose")

// checkWriter starts a write transaction and rolls it back, which shows whether another process writes and whether this
// one may.
func (a *Archive) checkWriter(ctx context.Context) doctor.Check {
	err := a.tryWriting(ctx)
	if err == nil {
		const writable = "the archive is writable, and no other process is writing"
		return doctor.Check{Name: "writer", Status: doctor.OK, Message: writable}
	}
	return doctor.Warned("writer", err) // reading still works
}

// tryWriting returns why the archive cannot be written now, nil if it can.
func (a *Archive) tryWriting(ctx context.Context) error {
	st, err := a.openWith(ctx, access{wait: 200 * time.Millisecond})
	if err != nil {
		return err
	}
	err = errors.Join(st.Update(ctx, func(store.Tx) error { return errUndo }), st.Close())
	if errors.Is(err, errUndo) {
		return nil
	}
	return err
}
