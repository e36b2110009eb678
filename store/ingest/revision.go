package ingest

import (
	"context"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
)

// revision holds the changes that a batch makes to the archive. They are collected first, then written.
type revision struct {
	*writer
	outcome

	conversations []store.Conversation
	messages      [][]store.Message // of each of conversations
	turns         []store.Turn
	fresh         []int               // indices of turns that get a new Ord
	terms         [][]store.TermCount // of each of fresh
	stale         []uuid.UUID         // turns whose embedded text changed
	vectors       []store.Vector      // imported with the turns
}

// add adds a conversation that is not stored yet.
func (r *revision) add(e *entry) {
	r.outcome.countNew(e.parsed)
	r.put(e.parsed, e.parsed.Messages)
	for i, counts := range r.termsOf(e) {
		r.freshTurn(e.parsed.Turns[i], counts)
	}
}

// put adds a conversation with all its messages, also the unchanged ones: their Seq, which no hash covers, may differ.
func (r *revision) put(p *chat.Parsed, messages []store.Message) {
	r.conversations = append(r.conversations, p.Conversation)
	r.messages = append(r.messages, messages)
	if p.Vector != nil && r.vectorsOf != (Model{}) {
		t := &p.Turns[0]
		// The file says that its vector is one of its text.
		r.vectors = append(r.vectors, store.Vector{Turn: t.ID, Text: t.EmbeddedText(), Values: p.Vector})
	}
}

func (r *revision) termsOf(e *entry) [][]store.TermCount {
	if e.terms == nil {
		e.terms = conversationTerms(&r.analyzer, e.parsed)
	}
	return e.terms
}

// freshTurn adds a turn that gets a new Ord.
func (r *revision) freshTurn(t store.Turn, counts []store.TermCount) {
	r.fresh = append(r.fresh, len(r.turns))
	r.terms = append(r.terms, counts)
	r.turns = append(r.turns, t)
}

// update adds a conversation that replaces the stored version.
func (r *revision) update(ctx context.Context, e *entry, stored storedVersion) error {
	p := e.parsed
	r.outcome.countUpdated(p, stored)
	kept, err := stored.retain(ctx, r.st, p)
	if err != nil {
		return err
	}
	r.put(p, append(p.Messages[:len(p.Messages):len(p.Messages)], kept.messages...))

	changed := make([]changedTurn, 0, len(kept.turns))
	for i, counts := range r.termsOf(e) {
		t := &p.Turns[i]
		switch state, known := stored.turns[t.ID]; {
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
	return r.addChangedTurns(ctx, changed)
}

// addSuperseded records in the stored version of a conversation that it supersedes p.
func (r *revision) addSuperseded(ctx context.Context, p *chat.Parsed) error {
	stored, err := r.st.Conversations(ctx, []uuid.UUID{p.ID})
	if err != nil {
		return err
	}
	stored[0].Superseded = stored[0].Superseded.Add(p.Hash)
	r.conversations, r.messages = append(r.conversations, stored[0]), append(r.messages, nil)
	return nil
}

// changedTurn is a stored turn that changed; whether its text did is not known yet.
type changedTurn struct {
	turn  *store.Turn
	terms []store.TermCount
}

// addChangedTurns compares turns with their stored versions and adds them: under a new Ord when the text differs.
func (r *revision) addChangedTurns(ctx context.Context, changed []changedTurn) error {
	ids := make([]uuid.UUID, len(changed))
	for i, s := range changed {
		ids[i] = s.turn.ID
	}
	stored, err := r.st.Turns(ctx, ids)
	if err != nil {
		return err
	}
	for i, s := range changed {
		if s.turn.EmbeddedText() != stored[i].EmbeddedText() {
			r.stale = append(r.stale, s.turn.ID)
		}
		if readsDifferently(s.turn, &stored[i]) {
			r.freshTurn(*s.turn, s.terms)
			continue
		}
		s.turn.Ord = stored[i].Ord
		r.turns = append(r.turns, *s.turn)
	}
	return nil
}

// write writes all changes, the terms first: a backend may index them while it writes the rest.
func (r *revision) write(ctx context.Context, tx store.Tx) error {
	if len(r.conversations) == 0 {
		return nil
	}
	if err := r.writeTerms(ctx, tx); err != nil {
		return err
	}
	if err := tx.PutConversations(ctx, r.conversations); err != nil {
		return err
	}
	for i := range r.conversations {
		if err := tx.PutMessages(ctx, r.conversations[i].ID, r.messages[i]); err != nil {
			return err
		}
	}
	if len(r.turns) > 0 {
		if err := tx.DeleteVectors(ctx, r.stale); err != nil {
			return err
		}
		if err := tx.PutTurns(ctx, r.turns); err != nil {
			return err
		}
	}
	return r.writeVectors(ctx, tx)
}

// writeVectors writes the imported vectors to the generation of their model. The very first generation becomes active
// at once.
func (r *revision) writeVectors(ctx context.Context, tx store.Tx) error {
	if len(r.vectors) == 0 {
		return nil
	}
	target := store.Generation{
		Provider: r.vectorsOf.Provider,
		Model:    r.vectorsOf.Name,
		Dim:      len(r.vectors[0].Values),
		Recipe:   store.Recipe,
	}
	_, active, err := generationOf(ctx, r.st, target)
	if err != nil {
		return err
	}
	gen, err := tx.PutGeneration(ctx, target)
	if err != nil {
		return err
	}
	if err := tx.PutVectors(ctx, gen.ID, r.vectors); err != nil || active || gen.Active {
		return err
	}
	return tx.Activate(ctx, gen.ID)
}

// writeTerms gives fresh turns their Ords and writes their terms.
func (r *revision) writeTerms(ctx context.Context, tx store.Tx) error {
	if len(r.fresh) == 0 {
		return nil
	}
	first, err := tx.ReserveOrds(ctx, len(r.fresh))
	if err != nil {
		return err
	}
	ords := make([]store.Ord, len(r.fresh))
	for i, turn := range r.fresh {
		ords[i] = first + store.Ord(i)
		r.turns[turn].Ord = ords[i]
	}
	return tx.AddTerms(ctx, ords, r.terms)
}
