package ingest

import (
	"context"
	"slices"

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
	fresh         []int          // indices of turns that get a new Ord
	terms         []store.Terms  // of each of fresh
	stale         []uuid.UUID    // turns whose embedded text changed
	vectors       []store.Vector // imported with the turns
	versions      []conversationVersions

	losing map[uuid.UUID]struct{} // conversations that must give messages up, or may take some over, by when they began

	goneTurns, goneMessages []uuid.UUID // that no version has any more
	goneDocuments           []uuid.UUID // likewise, that derived from a chat
	forget                  bool        // erase those at once
}

func newRevision(w *writer, losing map[uuid.UUID]struct{}) *revision {
	return &revision{writer: w, losing: losing}
}

// following returns an empty revision for the rest of the batch, once r was written. It counts on.
func (r *revision) following() *revision {
	next := newRevision(r.writer, r.losing)
	next.outcome = r.outcome
	return next
}

// conversationVersions are the versions of a stored conversation, encoded.
type conversationVersions struct {
	conversation uuid.UUID
	body         []byte
}

// makeRoom makes room for the turns of b as they are when none of its conversations is stored yet. Those of the only
// one are not copied: writeParts could not free the texts of a copy's original.
func (r *revision) makeRoom(b *batch) {
	turns, conversations := 0, 0
	for i := range b.entries {
		if p := b.entries[i].parsed; p != nil {
			turns += len(p.Turns)
			conversations++
		}
	}
	if conversations > 1 {
		r.turns, r.fresh = make([]store.Turn, 0, turns), make([]int, 0, turns)
		r.terms = make([]store.Terms, 0, turns)
	}
}

// add adds a conversation that is not stored yet.
func (r *revision) add(ctx context.Context, tx store.Tx, e *entry) error {
	shared, err := r.sharedIDs(ctx, tx, &e.parsed.Conversation)
	if err != nil {
		return err
	}
	r.outcome.countNew(e, shared.all(), r.tally)
	p, counts := e.parsed, e.terms
	if _, removed := r.rewritten[p.ID]; removed { // what it had was just found to be forgotten
		now := storedChat{conversation: p.Conversation}
		now.add(&e.parsed.Conversation)
		r.rewritten[p.ID] = now
	}
	if len(shared.kept) > 0 {
		body, err := (&history{versions: []*store.Conversation{&p.Conversation}}).encode(true)
		if err != nil {
			return err
		}
		r.versions = append(r.versions, conversationVersions{p.ID, body})
		own := *p
		own.Messages, own.Turns = slices.Clone(p.Messages), slices.Clone(p.Turns)
		renamed := chat.Separate(&own.Conversation, shared.kept)
		if len(own.Turns) < len(p.Turns) {
			counts = nil
		}
		e.derived = derivedFrom([]*store.Conversation{&p.Conversation}, &own.Conversation, renamed)
		p = &own
	}
	r.takeOver(&p.Conversation, shared.taken)
	r.putParsed(p, p.Messages)
	r.freshTurns(p.Turns, counts)
	if e.derived == nil {
		e.derived = ofParsed(e.parsed)
	}
	r.putNewDerived(e.derived)
	return nil
}

// put adds a conversation with all its messages, also the unchanged ones: their Seq, which no hash covers, may differ.
func (r *revision) put(c *store.Conversation, messages []store.Message) {
	r.conversations = append(r.conversations, *c)
	r.messages = append(r.messages, messages)
}

// putParsed is put, with the vector that came with the only turn.
func (r *revision) putParsed(p *chat.Parsed, messages []store.Message) {
	r.put(&p.Conversation, messages)
	if p.Vector != nil && r.vectorsOf != (Model{}) {
		t := &p.Turns[0]
		// The file says that its vector is one of its text.
		r.vectors = append(r.vectors, store.Vector{Turn: t.ID, Text: t.EmbeddedText(), Values: p.Vector})
	}
}

// freshTurns adds turns that get a new Ord, the first ones without a copy. counts are their terms; nil: not made yet.
func (r *revision) freshTurns(turns []store.Turn, counts []store.Terms) {
	if counts == nil {
		counts = make([]store.Terms, len(turns))
	}
	for i := range turns {
		r.fresh = append(r.fresh, len(r.turns)+i)
	}
	r.terms = append(r.terms, counts...)
	if r.turns == nil {
		r.turns = turns[:len(turns):len(turns)]
		return
	}
	r.turns = append(r.turns, turns...)
}

// freshTurn adds a turn that gets a new Ord. counts are its terms; nil: not made so far.
func (r *revision) freshTurn(t store.Turn, counts store.Terms) {
	r.fresh = append(r.fresh, len(r.turns))
	r.terms = append(r.terms, counts)
	r.turns = append(r.turns, t)
}

// changedTurn is a stored turn that changed; whether its text did is not known yet.
type changedTurn struct {
	turn  *store.Turn
	terms store.Terms
}

// addChangedTurns compares turns with their stored versions and adds them: under a new Ord when the text differs, as it
// may when the stored ones cannot be read (blind).
func (r *revision) addChangedTurns(ctx context.Context, changed []changedTurn, blind bool) error {
	if blind {
		for _, s := range changed {
			r.stale = append(r.stale, s.turn.ID)
			r.freshTurn(*s.turn, s.terms)
		}
		return nil
	}
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
		s.turn.Ord, s.turn.Length = stored[i].Ord, stored[i].Length
		r.turns = append(r.turns, *s.turn)
	}
	return nil
}

// write writes all changes, the terms first: a backend may index them while it writes the rest.
func (r *revision) write(ctx context.Context, tx store.Tx) error {
	if len(r.conversations) == 0 {
		return nil
	}
	if err := r.remove(ctx, tx); err != nil {
		return err
	}
	if err := r.reserveOrds(ctx, tx); err != nil {
		return err
	}
	var err error
	if r.isLongDocument() {
		err = r.writeParts(ctx, tx)
	} else {
		err = r.writeTexts(ctx, tx)
	}
	if err != nil {
		return err
	}
	for _, v := range r.versions {
		if err := tx.PutVersions(ctx, v.conversation, v.body); err != nil {
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

// remove removes what is gone.
func (r *revision) remove(ctx context.Context, tx store.Tx) error {
	if len(r.goneDocuments) > 0 {
		if _, err := tx.Forget(ctx, r.goneDocuments); err != nil {
			return err
		}
	}
	switch {
	case r.forget:
		return tx.ForgetTurns(ctx, r.goneTurns, r.goneMessages)
	case len(r.goneTurns)+len(r.goneMessages) > 0:
		return tx.Remove(ctx, r.goneTurns, r.goneMessages)
	}
	return nil
}

// writeVectors writes the imported vectors to the generation of their model. The very first generation becomes active
// at once.
func (r *revision) writeVectors(ctx context.Context, tx store.Tx) error {
	if len(r.vectors) == 0 {
		return nil
	}
	target, active, err := r.vectorsOf.generation(ctx, r.st)
	if err != nil {
		return err
	}
	target.Dim = len(r.vectors[0].Values)
	gen, err := tx.PutGeneration(ctx, target)
	if err != nil {
		return err
	}
	if err := tx.PutVectors(ctx, gen.ID, r.vectors); err != nil || active || gen.Active {
		return err
	}
	return tx.Activate(ctx, gen.ID)
}

// reserveOrds gives fresh turns their Ords.
func (r *revision) reserveOrds(ctx context.Context, tx store.Tx) error {
	if len(r.fresh) == 0 {
		return nil
	}
	first, err := tx.ReserveOrds(ctx, len(r.fresh))
	if err != nil {
		return err
	}
	for i, turn := range r.fresh {
		r.turns[turn].Ord = first + store.Ord(i)
	}
	return nil
}

// writeTexts writes terms, conversations and messages.
func (r *revision) writeTexts(ctx context.Context, tx store.Tx) error {
	if err := r.writeTerms(ctx, tx, 0, len(r.fresh)); err != nil {
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
	return nil
}

// messagesPerPart is how many messages of a long document are written at a time.
const messagesPerPart = 250

func (r *revision) isLongDocument() bool {
	return len(r.conversations) == 1 && r.conversations[0].Source.Chunked() && len(r.messages[0]) > messagesPerPart
}

// writeParts is writeTexts for a long document. The terms of its turns, and its messages while the store packs them,
// take more memory than its text: it writes a part of both before the next, and frees the texts of the part.
func (r *revision) writeParts(ctx context.Context, tx store.Tx) error {
	if err := tx.PutConversations(ctx, r.conversations); err != nil {
		return err
	}
	all, turns := r.messages[0], 0
	for from := 0; from < len(all); from += messagesPerPart {
		to := min(from+messagesPerPart, len(all))
		next := len(r.fresh) * to / len(all)
		if err := r.writeTerms(ctx, tx, turns, next); err != nil {
			return err
		}
		part := slices.Clone(all[from:to]) // the store packs it later
		if err := tx.PutMessages(ctx, r.conversations[0].ID, part); err != nil {
			return err
		}
		for i := range part {
			all[from+i].Text, all[from+i].Raw = "", nil
		}
		for ; turns < next; turns++ {
			t := &r.turns[r.fresh[turns]]
			t.UserText, t.AssistantText = "", ""
		}
	}
	return nil
}

// writeTerms writes the terms of some fresh turns, and makes those that are missing.
func (r *revision) writeTerms(ctx context.Context, tx store.Tx, from, to int) error {
	if from == to {
		return nil
	}
	ords, counts := make([]store.Ord, to-from), slices.Clone(r.terms[from:to])
	for i := range ords {
		t := &r.turns[r.fresh[from+i]]
		if ords[i] = t.Ord; counts[i].Vocabulary == nil {
			counts[i] = turnTerms(&r.analyzer, t)
		}
	}
	return tx.AddTerms(ctx, ords, counts)
}
