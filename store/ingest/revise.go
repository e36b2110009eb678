package ingest

import (
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/terms"
)

// writer decides, in one transaction per batch, what to add or change; the revision then writes it.
type writer struct {
	st       store.Store
	analyzer terms.Analyzer // for turns that analysis left out

	vectorsOf Model
	restore   bool
	epoch     int64 // of the archive when the files were looked up

	forgetting func(context.Context, Forgotten) error // Options.Forgetting

	tally tally

	// In this transaction: what the archive's reads do not show yet. Conversations that were removed have no versions.
	rewritten map[uuid.UUID]storedChat
}

// transact implements transactor.
func (w *writer) transact(ctx context.Context, fn transaction) error {
	return w.st.Update(ctx, func(tx store.Tx) error {
		w.rewritten = map[uuid.UUID]storedChat{}
		known, err := w.st.Forgotten(ctx) // as it is now: there is no other writer
		if err != nil {
			return err
		}
		gone := &forgotten{Forgotten: known, restore: w.restore}
		gone.fresh, gone.openers = map[uuid.UUID]bool{}, map[uuid.UUID]bool{}
		files, err := fn(func(b *batch) (outcome, error) {
			left, err := gone.leaveOut(ctx, tx, b)
			if err != nil {
				return outcome{}, err
			}
			if err := w.forgetElsewhere(ctx, tx, gone); err != nil {
				return outcome{}, err
			}
			r, err := w.revise(ctx, tx, b)
			if err == nil {
				err = r.write(ctx, tx)
			}
			if err == nil {
				err = w.settle(ctx, tx, r.losing)
			}
			r.outcome.forgotten = left
			return r.outcome, err
		})
		if err == nil && gone.changed {
			err = tx.PutForgotten(ctx, gone.Forgotten)
		}
		if err == nil && len(files) > 0 {
			err = tx.PutImportedFiles(ctx, w.epoch, files)
		}
		return err
	})
}

// forgetElsewhere removes the copies that stored conversations have of turns that were just found to be forgotten.
func (w *writer) forgetElsewhere(ctx context.Context, tx store.Tx, f *forgotten) error {
	if len(f.fresh) == 0 {
		return nil
	}
	d := doomed{
		lost: map[uuid.UUID][]uuid.UUID{}, changed: map[uuid.UUID]storedChat{}, derived: map[uuid.UUID][]uuid.UUID{},
		chosen: f.fresh, openers: f.openers, cited: citedAnswers{},
	}
	f.fresh, f.openers = map[uuid.UUID]bool{}, map[uuid.UUID]bool{}
	if err := d.findElsewhere(ctx, w.st); err != nil {
		return err
	}
	titles, err := d.remove(ctx, w, tx)
	gone := Forgotten{slices.Concat(d.turns(), d.cited.ids()), titles}
	if err != nil || w.forgetting == nil || len(gone.Turns)+len(titles) == 0 {
		return err
	}
	return w.forgetting(ctx, gone)
}

// revise collects the changes that b makes.
func (w *writer) revise(ctx context.Context, tx store.Tx, b *batch) (*revision, error) {
	r := newRevision(w, map[uuid.UUID]struct{}{})
	r.makeRoom(b)
	states, err := tx.ConversationStates(ctx, b.conversations())
	if err != nil {
		return r, err
	}
	for i := range b.entries {
		e := &b.entries[i]
		if e.parsed == nil {
			r.tally.addKnown(e.known)
			continue
		}
		if _, loses := r.losing[e.parsed.ID]; loses { // to one before it, which must be written first to have them
			if err := r.write(ctx, tx); err != nil {
				return r, err
			}
			r = r.following()
		}
		state, known := states[e.parsed.ID]
		switch {
		case !known:
			err = r.add(ctx, tx, e)
		case (!w.restore || e.parsed.Source.Chunked()) && e.unchanged(state.Hash, state.Superseded, state.Updated):
			err = r.unchanged(ctx, tx, e)
		default:
			err = r.merge(ctx, tx, e)
		}
		if err != nil {
			return r, err
		}
	}
	return r, nil
}

// unchanged counts a conversation of which the archive has this version.
func (r *revision) unchanged(ctx context.Context, tx store.Tx, e *entry) error {
	shared, err := mayBeCopies(ctx, tx, &e.parsed.Conversation)
	r.countUnchanged(e, shared, r.tally)
	return err
}

// merge adds a version of a conversation of which the archive holds others.
func (r *revision) merge(ctx context.Context, tx store.Tx, e *entry) error {
	p := e.parsed
	stored, err := r.read(ctx, p.ID)
	if err != nil {
		return err
	}
	turns, err := tx.TurnStates(ctx, []uuid.UUID{p.ID})
	if err != nil {
		return err
	}
	if p.Source.Chunked() {
		known := knownFrom(&stored.history, idsOf(turns))
		known.add(e, nil, r.tally, &r.outcome)
		return r.replaceDocument(ctx, e, stored, turns)
	}
	shared, err := mayBeCopies(ctx, tx, &p.Conversation)
	if err != nil {
		return err
	}
	known := knownFrom(&stored.history, nil)
	seen := stored.known.Has(p.Hash)
	if changed := known.add(e, shared, r.tally, &r.outcome); seen && !changed {
		return nil
	}
	version := p.Conversation
	stored.add(&version)
	_, written := r.rewritten[p.ID] // it lost messages in this transaction
	return r.rewrite(ctx, tx, stored, turns, written)
}

// settle writes conversations again that lost messages to others, one after the other: each may take over from the
// next.
func (w *writer) settle(ctx context.Context, tx store.Tx, losing map[uuid.UUID]struct{}) error {
	for len(losing) > 0 {
		next := map[uuid.UUID]struct{}{}
		for _, id := range ascending(slices.Collect(maps.Keys(losing))) {
			r := newRevision(w, next)
			stored, err := w.read(ctx, id)
			if err != nil {
				return err
			}
			turns, err := tx.TurnStates(ctx, []uuid.UUID{id})
			if err != nil {
				return err
			}
			if err := r.rewrite(ctx, tx, stored, turns, true); err != nil {
				return err
			}
			if err := r.write(ctx, tx); err != nil {
				return err
			}
		}
		losing = next
	}
	return nil
}

// read returns what the archive has of a conversation, as of this transaction.
func (w *writer) read(ctx context.Context, id uuid.UUID) (storedChat, error) {
	if s, ok := w.rewritten[id]; ok {
		return s, nil
	}
	return readStored(ctx, w.st, id)
}

func idsOf(turns map[uuid.UUID]store.TurnState) (ids []uuid.UUID) {
	for id := range turns {
		ids = append(ids, id)
	}
	return ids
}

// rewrite writes a conversation as its history tells. blind: its stored turns, and those of what derives from it,
// cannot be read, as they were written in this transaction.
func (r *revision) rewrite(
	ctx context.Context, tx store.Tx, stored storedChat, states map[uuid.UUID]store.TurnState, blind bool,
) error {
	folded := chat.Fold(stored.versions)
	folded.Superseded = stored.known
	shared, err := r.sharedIDs(ctx, tx, folded)
	if err != nil {
		return err
	}
	if err := r.releaseSharedIDs(ctx, stored.conversation, folded); err != nil {
		return err
	}
	renamed := chat.Separate(folded, shared.kept)
	r.takeOver(folded, shared.taken)
	present, err := tx.MessageStates(ctx, []uuid.UUID{folded.ID})
	if err != nil {
		return err
	}
	summaries, err := stored.summariesFor(ctx, r.st, folded)
	if err != nil {
		return err
	}
	body, err := stored.encode(len(shared.kept) > 0)
	if err != nil {
		return err
	}
	stored.conversation.Created = folded.Created
	r.rewritten[folded.ID] = stored
	r.put(folded, append(folded.Messages, summaries...))
	r.versions = append(r.versions, conversationVersions{folded.ID, body})
	r.removeMissing(folded, summaries, present, states)
	var changed []changedTurn
	for i := range folded.Turns {
		t := &folded.Turns[i]
		switch state, known := states[t.ID]; {
		case !known:
			r.freshTurn(*t, turnTerms(&r.analyzer, t))
		case state.Hash != t.Hash || state.OnPath != t.OnPath || t.Hash == (store.Hash{}) || isRenamed(t, present):
			changed = append(changed, changedTurn{t, turnTerms(&r.analyzer, t)})
		}
	}
	if err := r.addChangedTurns(ctx, changed, blind); err != nil {
		return err
	}
	return r.putDerived(ctx, tx, folded.ID, derivedFrom(stored.versions, folded, renamed), blind)
}

// isRenamed reports whether a stored turn refers to a message whose id has changed: the hash of the turn describes the
// file, which knows only the former.
func isRenamed(t *store.Turn, stored map[uuid.UUID]store.MessageState) bool {
	_, user := stored[t.UserMessage]
	_, assistant := stored[t.Assistant]
	return !user || !assistant && t.Assistant != uuid.Nil
}

// removeMissing removes the messages and turns of a stored conversation that folded does not have.
func (r *revision) removeMissing(
	folded *store.Conversation, summaries []store.Message,
	messages map[uuid.UUID]store.MessageState, turns map[uuid.UUID]store.TurnState,
) {
	present := make(map[uuid.UUID]bool, len(folded.Messages)+len(folded.Turns)+len(summaries))
	for _, m := range slices.Concat(folded.Messages, summaries) {
		present[m.ID] = true
	}
	for i := range folded.Turns {
		present[folded.Turns[i].ID] = true
	}
	for id := range messages {
		if !present[id] {
			r.goneMessages = append(r.goneMessages, id)
		}
	}
	for id := range turns {
		if !present[id] {
			r.goneTurns = append(r.goneTurns, id)
		}
	}
}

// summariesFor returns the summaries that Lens made of turns whose texts folded leaves as they are.
func (s storedChat) summariesFor(
	ctx context.Context, st store.Reader, folded *store.Conversation,
) (kept []store.Message, err error) {
	for _, m := range s.messages {
		if m.ContentType != summaryType {
			continue
		}
		for i := range folded.Turns {
			t := &folded.Turns[i]
			if t.ID != m.Turn {
				continue
			}
			before, err := st.Turns(ctx, []uuid.UUID{t.ID})
			if err != nil {
				return nil, err
			}
			if t.UserText == before[0].UserText && t.AssistantText == before[0].AssistantText {
				m.Seq, m.OnPath, m.Hash = 0, t.OnPath, store.Hash{}
				kept = append(kept, m)
				if t.Summary == "" {
					t.Summary = m.Summary
				}
			}
		}
	}
	return kept, nil
}

// replaceDocument adds a document or record as its file has it now.
func (r *revision) replaceDocument(
	ctx context.Context, e *entry, stored storedChat, turns map[uuid.UUID]store.TurnState,
) error {
	p := e.parsed
	kept, err := stored.retain(ctx, r.st, p, idsOf(turns))
	if err != nil {
		return err
	}
	r.putParsed(p, append(p.Messages[:len(p.Messages):len(p.Messages)], kept.messages...))
	changed := make([]changedTurn, 0, len(kept.turns))
	for i := range p.Turns {
		t, counts := &p.Turns[i], store.Terms{}
		if e.terms != nil {
			counts = e.terms[i]
		}
		switch state, known := turns[t.ID]; {
		case !known:
			r.freshTurn(*t, counts)
		case state.Hash != t.Hash || state.OnPath != t.OnPath:
			changed = append(changed, changedTurn{t, counts})
		}
	}
	for i := range kept.turns {
		t := &kept.turns[i]
		changed = append(changed, changedTurn{t, turnTerms(&r.analyzer, t)})
	}
	return r.addChangedTurns(ctx, changed, false)
}
