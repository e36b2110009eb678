package ingest

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/store"
	"lens/store/ingest/chat"
)

// ForgetOptions selects what to forget. The zero value forgets nothing.
type ForgetOptions struct {
	Conversations []uuid.UUID
	Turns         []uuid.UUID  // single turns of chats
	Source        store.Source // all conversations of this source; "": none
	Everything    bool         // the whole archive, including import records and embedding generations
	DryRun        bool         // count without removing

	// Before is called with what will be removed, right before that is committed. It removes what repeats it outside the
	// archive, so that a process that is killed can do the whole again. An error keeps the turns. nil: nothing is called.
	Before func(context.Context, Forgotten) error
}

// Forgotten is what Forget removes.
type Forgotten struct {
	Turns  []uuid.UUID
	Titles []string // that conversations had, which stay, because they quote one of the turns
}

// ForgetReport counts what Forget removed.
type ForgetReport struct {
	Conversations int `json:"conversations"`
	Turns         int `json:"turns"`
}

// Forget removes conversations or single turns, with their messages, terms and vectors, and remembers that, so that
// another import leaves them out. It waits for other writers before it counts, so the report is exact. Errors:
// not_found when one of Conversations or Turns does not exist, invalid for a turn that is part of a document; with
// nothing removed.
func Forget(ctx context.Context, st store.Store, opts ForgetOptions) (ForgetReport, error) {
	if opts.DryRun {
		d, err := doomedBy(ctx, st, opts)
		return d.report(), err
	}
	var d doomed
	err := st.Update(ctx, func(tx store.Tx) (err error) {
		if d, err = doomedBy(ctx, st, opts); err != nil {
			return err
		}
		var titles []string
		if opts.Everything {
			err = tx.ForgetEverything(ctx)
		} else {
			titles, err = d.forget(ctx, st, tx)
		}
		if err == nil && opts.Before != nil {
			err = opts.Before(ctx, Forgotten{d.turns(), titles})
		}
		return err
	})
	if err != nil {
		return ForgetReport{}, err
	}
	return d.report(), nil
}

// doomed is what one call of Forget removes.
type doomed struct {
	whole   []uuid.UUID                // conversations, ascending
	single  map[uuid.UUID][]store.Turn // turns of other conversations, by conversation
	emptied []uuid.UUID                // conversations of single that lose all their turns, ascending
	all     map[uuid.UUID][]uuid.UUID  // all turns of all these conversations
}

func (d doomed) report() ForgetReport {
	return ForgetReport{Conversations: len(d.whole) + len(d.emptied), Turns: len(d.turns())}
}

// turns returns the turns that are removed.
func (d doomed) turns() (ids []uuid.UUID) {
	for _, conversation := range d.whole {
		ids = append(ids, d.all[conversation]...)
	}
	for _, some := range d.single {
		for _, t := range some {
			ids = append(ids, t.ID)
		}
	}
	return ids
}

// doomedBy returns what opts select.
func doomedBy(ctx context.Context, st store.Reader, opts ForgetOptions) (d doomed, err error) {
	if _, err := st.Conversations(ctx, opts.Conversations); err != nil {
		return d, err
	}
	d.whole = slices.Clone(opts.Conversations)
	if opts.Source != "" || opts.Everything {
		source := opts.Source
		if opts.Everything {
			source = ""
		}
		sourceIDs, err := st.ConversationIDs(ctx, source)
		if err != nil {
			return d, err
		}
		d.whole = append(d.whole, sourceIDs...)
	}
	d.whole = ascending(d.whole)
	if d.single, err = d.singleTurns(ctx, st, ascending(opts.Turns)); err != nil {
		return d, err
	}
	d.all, err = turnsOf(ctx, st, append(slices.Collect(maps.Keys(d.single)), d.whole...))
	for conversation, some := range d.single {
		if len(some) == len(d.all[conversation]) {
			d.emptied = append(d.emptied, conversation)
		}
	}
	d.emptied = ascending(d.emptied)
	return d, err
}

// ascending returns the ids in ascending order, each once.
func ascending(ids []uuid.UUID) []uuid.UUID {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, compareIDs)
	return slices.Compact(ids)
}

func compareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }

// turnsOf returns the turns of conversations.
func turnsOf(ctx context.Context, st store.Reader, conversations []uuid.UUID) (map[uuid.UUID][]uuid.UUID, error) {
	turns := make(map[uuid.UUID][]uuid.UUID, len(conversations))
	if len(conversations) == 0 {
		return turns, nil
	}
	catalog, err := st.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range conversations {
		turns[id] = nil
	}
	for row, index := range catalog.Conversation {
		id := catalog.Conversations[index]
		if some, selected := turns[id]; selected {
			turns[id] = append(some, catalog.ID[row])
		}
	}
	return turns, nil
}

// singleTurns returns those of ids that do not go with their conversations, by conversation.
func (d doomed) singleTurns(
	ctx context.Context, st store.Reader, ids []uuid.UUID,
) (map[uuid.UUID][]store.Turn, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	turns, err := st.Turns(ctx, ids)
	if err != nil {
		return nil, err
	}
	single := map[uuid.UUID][]store.Turn{}
	for _, t := range turns {
		if _, whole := slices.BinarySearchFunc(d.whole, t.Conversation, compareIDs); whole {
			continue
		}
		if t.Source.Chunked() {
			return nil, &errs.Error{
				Code: errs.Invalid, Op: "forget", Message: "turn " + t.ID.String() + " is a part of a document",
				Hint: "forget the whole document: lens forget --conversation " + t.Conversation.String(),
			}
		}
		single[t.Conversation] = append(single[t.Conversation], t)
	}
	return single, nil
}

// forget removes what is doomed, and remembers it. It returns Forgotten.Titles.
func (d doomed) forget(ctx context.Context, st store.Store, tx store.Tx) (titles []string, err error) {
	if len(d.whole) == 0 && len(d.single) == 0 {
		return nil, nil
	}
	known, err := st.Forgotten(ctx)
	if err != nil {
		return nil, err
	}
	known.Add(d.whole...)
	for _, some := range d.single {
		for _, t := range some {
			known.Add(t.ID)
		}
	}
	if titles, err = d.forgetSingle(ctx, st, tx); err != nil {
		return nil, err
	}
	if gone := slices.Concat(d.emptied, d.whole); len(gone) > 0 {
		if _, err := tx.Forget(ctx, gone); err != nil {
			return nil, err
		}
	}
	return titles, tx.PutForgotten(ctx, known)
}

// forgetSingle removes single turns of the conversations that keep others. It returns Forgotten.Titles.
func (d doomed) forgetSingle(ctx context.Context, st store.Reader, tx store.Tx) (titles []string, err error) {
	var turns, messages []uuid.UUID
	for conversation, some := range d.single {
		all := d.all[conversation]
		if len(all) == len(some) {
			continue
		}
		left, quoting, err := takeOut(ctx, st, tx, all, some)
		if err != nil {
			return nil, err
		}
		messages = append(messages, left...)
		if quoting != "" {
			titles = append(titles, quoting)
		}
		for _, t := range some {
			turns = append(turns, t.ID)
		}
	}
	if len(turns) == 0 {
		return nil, nil
	}
	return titles, tx.ForgetTurns(ctx, turns, messages)
}

// takeOut writes a conversation without some of all its turns, and returns the ids of the messages that go with those,
// and its former title if that quotes one of them. Its hash becomes that of an import without them.
func takeOut(
	ctx context.Context, st store.Reader, tx store.Tx, all []uuid.UUID, some []store.Turn,
) (left []uuid.UUID, quoting string, err error) {
	turns, err := st.Turns(ctx, all)
	if err != nil {
		return nil, "", err
	}
	slices.SortFunc(turns, func(a, b store.Turn) int { return cmp.Compare(a.Position, b.Position) })
	conversation := some[0].Conversation
	stored, err := st.Conversations(ctx, []uuid.UUID{conversation})
	if err != nil {
		return nil, "", err
	}
	messages, err := st.Messages(ctx, conversation)
	if err != nil {
		return nil, "", err
	}
	gone := make(map[uuid.UUID]bool, len(some))
	for _, t := range some {
		gone[t.ID] = true
		stored[0].Hash = chat.WithoutTurn(stored[0].Hash, t.ID)
	}
	if title := chat.TitleWithout(stored[0].Title, turns, gone); title != stored[0].Title {
		quoting, stored[0].Title = stored[0].Title, title
	}
	kept, left := chat.LeaveOutTurns(messages, gone)
	if err := tx.PutConversations(ctx, stored); err != nil {
		return nil, "", err
	}
	return left, quoting, tx.PutMessages(ctx, conversation, kept)
}
