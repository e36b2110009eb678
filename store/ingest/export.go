package ingest

import (
	"context"
	"io"
	"iter"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/export"
)

// ExportOptions selects the turns to write and their format. The zero value writes all turns of active paths as JSON
// lines.
type ExportOptions struct {
	Format export.Format // zero: the first of export.Formats
	Filter store.Filter
	IDs    []uuid.UUID // only these turns, without regard to Filter; nil: those of Filter
	export.Options
}

// Export writes turns in order of time (ties by turn id, undated last) and returns how many. Equal archives give equal
// bytes, on every backend. Errors: not_found when one of IDs does not exist, and those of w.
func Export(ctx context.Context, st store.Reader, w io.Writer, opts ExportOptions) (int, error) {
	if opts.Format.Encode == nil {
		opts.Format = export.Formats[0]
	}
	return opts.Format.Write(ctx, w, selectedTurns(ctx, st, opts), opts.Options)
}

func selectedTurns(ctx context.Context, st store.Reader, opts ExportOptions) iter.Seq2[store.Turn, error] {
	if opts.IDs == nil {
		return st.EachTurn(ctx, opts.Filter)
	}
	return turnsByID(ctx, st, opts.IDs)
}

// turnsByID yields the turns with these ids in the order of the catalog, with one page in memory at a time.
func turnsByID(ctx context.Context, st store.Reader, ids []uuid.UUID) iter.Seq2[store.Turn, error] {
	return func(yield func(store.Turn, error) bool) {
		ordered, err := inCatalogOrder(ctx, st, ids)
		const page = 64
		for i := 0; err == nil && i < len(ordered); i += page {
			var turns []store.Turn
			turns, err = st.Turns(ctx, ordered[i:min(i+page, len(ordered))])
			for _, t := range turns {
				if !yield(t, nil) {
					return
				}
			}
		}
		if err != nil {
			yield(store.Turn{}, err)
		}
	}
}

// inCatalogOrder returns ids in the order of the catalog, each once. Unknown ids come last; reading them fails with
// not_found.
func inCatalogOrder(ctx context.Context, st store.Reader, ids []uuid.UUID) ([]uuid.UUID, error) {
	catalog, err := st.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	unseen := make(map[uuid.UUID]bool, len(ids))
	for _, id := range ids {
		unseen[id] = true
	}
	ordered := make([]uuid.UUID, 0, len(unseen))
	for _, id := range catalog.ID {
		if unseen[id] {
			ordered = append(ordered, id)
			delete(unseen, id)
		}
	}
	for _, id := range ids {
		if unseen[id] {
			ordered = append(ordered, id)
		}
	}
	return ordered, nil
}
