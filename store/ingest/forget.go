package ingest

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"lens/store"
)

// ForgetOptions selects what to forget. The zero value forgets nothing.
type ForgetOptions struct {
	Conversations []uuid.UUID
	Source        store.Source // all conversations of this source; "": none
	Everything    bool         // the whole archive, including import records and embedding generations
	DryRun        bool         // count without removing
}

// ForgetReport counts what Forget removed.
type ForgetReport struct {
	Conversations int `json:"conversations"`
	Turns         int `json:"turns"`
}

// Forget removes conversations with their messages, turns, terms and vectors. It waits for other writers before it
// counts, so the report is exact. Errors: not_found, with nothing removed, when one of Conversations does not exist.
func Forget(ctx context.Context, st store.Store, opts ForgetOptions) (report ForgetReport, err error) {
	if opts.DryRun {
		_, report, err = selection(ctx, st, opts)
		return report, err
	}
	err = st.Update(ctx, func(tx store.Tx) error {
		var ids []uuid.UUID
		if ids, report, err = selection(ctx, st, opts); err != nil || len(ids) == 0 && !opts.Everything {
			return err
		}
		if opts.Everything {
			return tx.ForgetEverything(ctx)
		}
		_, err := tx.Forget(ctx, ids)
		return err
	})
	if err != nil {
		return ForgetReport{}, err
	}
	return report, nil
}

// selection returns the ids of the conversations that opts select, in ascending order, and counts them and their turns.
func selection(ctx context.Context, st store.Reader, opts ForgetOptions) ([]uuid.UUID, ForgetReport, error) {
	ids := slices.Clone(opts.Conversations)
	if opts.Source != "" || opts.Everything {
		source := opts.Source
		if opts.Everything {
			source = ""
		}
		sourceIDs, err := st.ConversationIDs(ctx, source)
		if err != nil {
			return nil, ForgetReport{}, err
		}
		ids = append(ids, sourceIDs...)
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	ids = slices.Compact(ids)
	if _, err := st.Conversations(ctx, opts.Conversations); err != nil {
		return nil, ForgetReport{}, err
	}
	turns, err := countTurns(ctx, st, ids)
	return ids, ForgetReport{Conversations: len(ids), Turns: turns}, err
}

func countTurns(ctx context.Context, st store.Reader, conversations []uuid.UUID) (int, error) {
	catalog, err := st.Catalog(ctx)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, index := range catalog.Conversation {
		_, selected := slices.BinarySearchFunc(conversations, catalog.Conversations[index],
			func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
		n += boolToInt(selected)
	}
	return n, nil
}
