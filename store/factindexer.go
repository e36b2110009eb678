package store

import (
	"context"
	"fmt"

	"lens/internal/errs"

	"github.com/google/uuid"
)

// The facts of turns are indexed with their words. An Indexing adds them to an archive that an older Lens has written,
// as keyword segments of their own: the words stay as they are.

// Indexing indexes facts of turns that an older Lens did not.
type Indexing struct {
	mark    string // the fact of the turns that have them, with their version as its count
	version uint32
	facts   func(*Turn) []TermCount // mark is one of them
	newer   error                   // where a newer Lens has indexed some; nil: these count as indexed
}

// NewIndexing returns an Indexing of facts, which include mark with version as its count. The facts of a newer version
// count as indexed.
func NewIndexing(mark string, version uint32, facts func(*Turn) []TermCount) *Indexing {
	return &Indexing{mark: mark, version: version, facts: facts}
}

// turnFacts indexes the facts of Turn.Facts.
var turnFacts = &Indexing{
	mark: factsTerm, version: FactsVersion, facts: (*Turn).Facts,
	newer: &errs.Error{
		Code: errs.Unavailable, Op: "store: check facts",
		Message: "the archive's turns were indexed by code and model by a newer Lens",
		Hint:    "update Lens; searches without these filters still work",
	},
}

// FactReader is what CheckFacts needs of an archive.
type FactReader interface {
	Catalog(ctx context.Context) (*Catalog, error)
	Postings(ctx context.Context, terms []string) ([]Postings, error)
}

// CheckFacts returns an errs.Unavailable, for a filter by the facts of turns, unless those of every turn are indexed.
func CheckFacts(ctx context.Context, r FactReader) error {
	missing, err := UnindexedFacts(ctx, r)
	if err != nil || missing == 0 {
		return err
	}
	return &errs.Error{
		Code: errs.Unavailable, Op: "store: check facts",
		Message: fmt.Sprintf("%d turns are not yet indexed by code and model", missing),
		Hint:    "try again in a minute; index an archive that is read-only here where it can be written",
	}
}

// UnindexedFacts returns the number of turns whose facts are not indexed. Errors: errs.Unavailable if a newer Lens
// has indexed facts, whose meaning this one does not know.
func UnindexedFacts(ctx context.Context, r FactReader) (int, error) { return turnFacts.Missing(ctx, r) }

// Missing returns the number of turns without the facts.
func (x *Indexing) Missing(ctx context.Context, r FactReader) (int, error) {
	for {
		u, err := x.unindexed(ctx, r)
		if err != nil || len(u.rows) == 0 {
			return 0, err
		}
		// These reads may belong to two commits. Then a turn that the later one replaced seems to lack facts.
		now, err := r.Catalog(ctx)
		if err != nil || now.Version == u.catalog.Version {
			return len(u.rows), err
		}
	}
}

// unindexed are the rows of a catalog whose facts are not indexed.
type unindexed struct {
	catalog *Catalog
	rows    []int
}

func (x *Indexing) unindexed(ctx context.Context, r FactReader) (u unindexed, err error) {
	if u.catalog, err = r.Catalog(ctx); err != nil {
		return u, err
	}
	lists, err := r.Postings(ctx, []string{x.mark})
	if err != nil {
		return u, err
	}
	done := new(OrdSet)
	for i, ord := range lists[0].Ords {
		_, alive := u.catalog.Row(ord)
		switch version := lists[0].Counts[i]; {
		case version == x.version, version > x.version && x.newer == nil:
			done.Add(ord)
		case alive && version > x.version:
			return u, x.newer
		}
	}
	for row, ord := range u.catalog.Ord {
		if !done.Has(ord) {
			u.rows = append(u.rows, row)
		}
	}
	return u, nil
}

// The numbers of turns that IndexFacts reads at a time and writes in one transaction. Other writers go between two.
const (
	factsPerRead  = 256
	factsPerWrite = 8 * factsPerRead
)

// IndexFacts indexes the facts of the turns that lack them, as Run does. Errors: also errs.Unavailable if a newer Lens
// has indexed facts.
func IndexFacts(ctx context.Context, st Store, progress func(done, total int)) error {
	return turnFacts.Run(ctx, st, progress)
}

// Run indexes the facts of the turns that lack them. Reads go on meanwhile. Once interrupted, it goes on where it
// stopped. progress, unless nil, is called after each transaction with the numbers of indexed and of all turns. Errors:
// errs.Unavailable if another process is writing; errs.Invalid for an archive that is open for reading only.
func (x *Indexing) Run(ctx context.Context, st Store, progress func(done, total int)) error {
	total, err := x.Missing(ctx, st)
	if err != nil || total == 0 {
		return err
	}
	for left := total; left > 0; {
		err := st.Update(ctx, func(tx Tx) (err error) {
			left, err = x.indexSome(ctx, st, tx)
			return err
		})
		if err != nil {
			return err
		}
		if progress != nil {
			progress(max(0, total-left), total)
		}
	}
	return st.Optimize(ctx)
}

// indexSome returns the number of turns that are left. While tx lasts, there is no other writer: st reads the
// present state.
func (x *Indexing) indexSome(ctx context.Context, st Reader, tx Tx) (left int, err error) {
	u, err := x.unindexed(ctx, st)
	if err != nil {
		return 0, err
	}
	some := u.rows[:min(len(u.rows), factsPerWrite)]
	ords, facts, vocabulary := make([]Ord, 0, len(some)), make([]Terms, 0, len(some)), new(Vocabulary)
	for rest := some; len(rest) > 0; rest = rest[min(len(rest), factsPerRead):] {
		ids := make([]uuid.UUID, min(len(rest), factsPerRead))
		for i := range ids {
			ids[i] = u.catalog.ID[rest[i]]
		}
		turns, err := st.Turns(ctx, ids)
		if err != nil {
			return 0, err
		}
		for i := range turns {
			ords, facts = append(ords, turns[i].Ord), append(facts, vocabulary.ListOf(x.facts(&turns[i])))
		}
	}
	return len(u.rows) - len(some), tx.AddTerms(ctx, ords, facts)
}
