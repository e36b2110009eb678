package ingest

import (
	"bytes"
	"cmp"
	"context"
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
		if opts.Everything {
			return tx.ForgetEverything(ctx)
		}
		return d.forget(ctx, st, tx)
	})
	if err != nil {
		return ForgetReport{}, err
	}
	return d.report(), nil
}

// doomed is what one call of Forget removes.
type doomed struct {
	conversations []uuid.UUID  // ascending
	turns         int          // of conversations
	single        []store.Turn // of other conversations
}

func (d doomed) report() ForgetReport {
	return ForgetReport{Conversations: len(d.conversations), Turns: d.turns + len(d.single)}
}

// doomedBy returns what opts select.
func doomedBy(ctx context.Context, st store.Reader, opts ForgetOptions) (d doomed, err error) {
	if _, err := st.Conversations(ctx, opts.Conversations); err != nil {
		return d, err
	}
	d.conversations = slices.Clone(opts.Conversations)
	if opts.Source != "" || opts.Everything {
		source := opts.Source
		if opts.Everything {
			source = ""
		}
		sourceIDs, err := st.ConversationIDs(ctx, source)
		if err != nil {
			return d, err
		}
		d.conversations = append(d.conversations, sourceIDs...)
	}
	d.conversations = ascending(d.conversations)
	if d.turns, err = countTurns(ctx, st, d.conversations); err != nil {
		return d, err
	}
	d.single, err = d.singleTurns(ctx, st, ascending(opts.Turns))
	return d, err
}

// ascending returns the ids in ascending order, each once.
func ascending(ids []uuid.UUID) []uuid.UUID {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, compareIDs)
	return slices.Compact(ids)
}

func compareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }

func countTurns(ctx context.Context, st store.Reader, conversations []uuid.UUID) (int, error) {
	catalog, err := st.Catalog(ctx)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, index := range catalog.Conversation {
		_, selected := slices.BinarySearchFunc(conversations, catalog.Conversations[index], compareIDs)
		n += boolToInt(selected)
	}
	return n, nil
}

// singleTurns returns those of ids that do not go with their conversations.
func (d doomed) singleTurns(ctx context.Context, st store.Reader, ids []uuid.UUID) ([]store.Turn, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	turns, err := st.Turns(ctx, ids)
	if err != nil {
		return nil, err
	}
	var single []store.Turn
	for _, t := range turns {
		if _, whole := slices.BinarySearchFunc(d.conversations, t.Conversation, compareIDs); whole {
			continue
		}
		if t.Source.Chunked() {
			return nil, &errs.Error{
				Code: errs.Invalid, Op: "forget", Message: "turn " + t.ID.String() + " is a part of a document",
				Hint: "forget the whole document: lens forget --conversation " + t.Conversation.String(),
			}
		}
		single = append(single, t)
	}
	return single, nil
}

// forget removes what is doomed, and remembers it.
func (d doomed) forget(ctx context.Context, st store.Store, tx store.Tx) error {
	if len(d.conversations) == 0 && len(d.single) == 0 {
		return nil
	}
	known, err := st.Forgotten(ctx)
	if err != nil {
		return err
	}
	known.Add(d.conversations...)
	for _, t := range d.single {
		known.Add(t.ID)
	}
	emptied, err := d.forgetSingle(ctx, st, tx)
	if err != nil {
		return err
	}
	if whole := append(emptied, d.conversations...); len(whole) > 0 {
		if _, err := tx.Forget(ctx, whole); err != nil {
			return err
		}
	}
	return tx.PutForgotten(ctx, known)
}

// forgetSingle removes single turns, and returns the conversations that would have no turn left.
func (d doomed) forgetSingle(ctx context.Context, st store.Reader, tx store.Tx) (emptied []uuid.UUID, err error) {
	byConversation := map[uuid.UUID][]store.Turn{}
	for _, t := range d.single {
		byConversation[t.Conversation] = append(byConversation[t.Conversation], t)
	}
	var turns, messages []uuid.UUID
	for conversation, some := range byConversation {
		all, err := turnsOf(ctx, st, conversation)
		if err != nil {
			return nil, err
		}
		if len(all) == len(some) {
			emptied = append(emptied, conversation)
			continue
		}
		left, err := takeOut(ctx, st, tx, all, some)
		if err != nil {
			return nil, err
		}
		messages = append(messages, left...)
		for _, t := range some {
			turns = append(turns, t.ID)
		}
	}
	if len(turns) == 0 {
		return emptied, nil
	}
	return emptied, tx.ForgetTurns(ctx, turns, messages)
}

// turnsOf returns all turns of a conversation, in its order.
func turnsOf(ctx context.Context, st store.Reader, conversation uuid.UUID) ([]store.Turn, error) {
	catalog, err := st.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	var ids []uuid.UUID
	for row, index := range catalog.Conversation {
		if catalog.Conversations[index] == conversation {
			ids = append(ids, catalog.ID[row])
		}
	}
	turns, err := st.Turns(ctx, ids)
	slices.SortFunc(turns, func(a, b store.Turn) int { return cmp.Compare(a.Position, b.Position) })
	return turns, err
}

// takeOut writes the conversation of turns without some of them, and returns the ids of the messages that go with
// those. Its hash becomes that of an import without them.
func takeOut(
	ctx context.Context, st store.Reader, tx store.Tx, turns, some []store.Turn,
) (left []uuid.UUID, err error) {
	conversation := some[0].Conversation
	stored, err := st.Conversations(ctx, []uuid.UUID{conversation})
	if err != nil {
		return nil, err
	}
	messages, err := st.Messages(ctx, conversation)
	if err != nil {
		return nil, err
	}
	gone := make(map[uuid.UUID]bool, len(some))
	for _, t := range some {
		gone[t.ID] = true
		stored[0].Hash = chat.WithoutTurn(stored[0].Hash, t.ID)
	}
	stored[0].Title = chat.TitleWithout(stored[0].Title, turns, gone)
	kept, left := chat.LeaveOutTurns(messages, gone)
	if err := tx.PutConversations(ctx, stored); err != nil {
		return nil, err
	}
	return left, tx.PutMessages(ctx, conversation, kept)
}
