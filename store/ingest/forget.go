package ingest

import (
	"bytes"
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
	Source        store.Source // all conversations of this source, and what derives from it; "": none
	Everything    bool         // the whole archive, including import records and embedding generations
	DryRun        bool         // count without removing

	// Before is called with what will be removed, right before that is committed. It removes what repeats it outside the
	// archive, so that a process that is killed can do the whole again. An error keeps the turns. nil: nothing is called.
	Before func(context.Context, Forgotten) error
}

// Forgotten is what Forget removes.
type Forgotten struct {
	Turns  []uuid.UUID // also by the ids that their answers had or have, chosen or not
	Titles []string    // that conversations had, which stay, because they quote one of the turns
}

// ForgetReport counts what Forget removed.
type ForgetReport struct {
	Conversations int `json:"conversations"`
	Turns         int `json:"turns"`
	Derived       int `json:"derived"` // documents that derive from these, such as attachments, and lose text
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
			if opts.Source != "" {
				err = unfollowSource(ctx, st, tx, opts.Source)
			}
			if err == nil {
				titles, err = d.forget(ctx, st, tx)
			}
		}
		if err == nil && opts.Before != nil {
			err = opts.Before(ctx, Forgotten{slices.Concat(d.turns(), d.cited.ids()), titles})
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
	whole   []uuid.UUID               // conversations, ascending
	lost    map[uuid.UUID][]uuid.UUID // the turns that go, of these and of other conversations
	changed map[uuid.UUID]storedChat  // the other conversations, without those turns
	emptied []uuid.UUID               // those of them that lose all, ascending
	chosen  map[uuid.UUID]bool        // ids of all turns to remember
	openers map[uuid.UUID]bool        // the messages that open them: a conversation that hides one has no such turn
	cited   citedAnswers
	derived map[uuid.UUID][]uuid.UUID // the turns that go of documents that derive from any of these
}

// citedAnswers are the other ids by which answers that go may have been cited.
type citedAnswers map[uuid.UUID]bool

func (c citedAnswers) ids() []uuid.UUID { return slices.Collect(maps.Keys(c)) }

// add adds the answers of a version that are gone, nil: all.
func (c citedAnswers) add(v *store.Conversation, gone map[uuid.UUID]bool) {
	for turn, a := range chat.Answers(v) {
		question := gone == nil || gone[store.TurnID(a.User)]
		if !question && !gone[a.ID()] {
			continue
		}
		for _, id := range a.ShownAs(v.ID) {
			c[id] = true
		}
		if !question && turn != a.ID() { // the turn had this answer then
			c[turn], c[store.TurnID(chat.OwnID(v.ID, a.User))] = true, true
		}
	}
}

func (d doomed) report() ForgetReport {
	turns := 0
	for _, lost := range d.lost {
		turns += len(lost)
	}
	return ForgetReport{Conversations: len(d.whole) + len(d.emptied), Turns: turns, Derived: len(d.derived)}
}

// turns returns the turns that are removed.
func (d doomed) turns() []uuid.UUID {
	return slices.Concat(append(slices.Collect(maps.Values(d.lost)), slices.Collect(maps.Values(d.derived))...)...)
}

// doomedBy returns what opts select.
func doomedBy(ctx context.Context, st store.Reader, opts ForgetOptions) (d doomed, err error) {
	whole, err := selectedConversations(ctx, st, opts)
	if err != nil {
		return d, err
	}
	d = doomed{
		chosen: map[uuid.UUID]bool{}, openers: map[uuid.UUID]bool{},
		changed: map[uuid.UUID]storedChat{}, cited: citedAnswers{},
	}
	if d.derived, err = derivedTurns(ctx, st, whole); err != nil {
		return d, err
	}
	d.whole = slices.DeleteFunc(whole, func(id uuid.UUID) bool { _, derived := d.derived[id]; return derived })
	if d.lost, err = turnsOf(ctx, st, d.whole); err != nil || opts.Everything {
		return d, err
	}
	if err := d.choose(ctx, st, ascending(opts.Turns)); err != nil {
		return d, err
	}
	return d, d.findElsewhere(ctx, st)
}

// selectedConversations returns the conversations that opts select.
func selectedConversations(ctx context.Context, st store.Reader, opts ForgetOptions) ([]uuid.UUID, error) {
	chosen, err := st.Conversations(ctx, opts.Conversations)
	if err != nil {
		return nil, err
	}
	for i := range chosen {
		if err := checkForgettable(&chosen[i]); err != nil {
			return nil, err
		}
	}
	whole, err := withSubagents(ctx, st, chosen)
	if err != nil {
		return nil, err
	}
	if opts.Source != "" || opts.Everything {
		sources := opts.Source.Whole()
		if opts.Everything {
			sources = []store.Source{""}
		}
		for _, source := range sources {
			ids, err := st.ConversationIDs(ctx, source)
			if err != nil {
				return nil, err
			}
			whole = append(whole, ids...)
		}
	}
	return ascending(whole), nil
}

// withSubagents returns the ids of conversations, and those of the subagents that they started: no view shows these.
func withSubagents(ctx context.Context, st store.Reader, chosen []store.Conversation) (all []uuid.UUID, err error) {
	starts, sources := map[uuid.UUID]bool{}, map[store.Source]bool{}
	for i := range chosen {
		all = append(all, chosen[i].ID)
		if chat.StartsSubagents(chosen[i].Source) {
			starts[chosen[i].ID], sources[chosen[i].Source] = true, true
		}
	}
	var ids []uuid.UUID
	for source := range sources {
		of, err := st.ConversationIDs(ctx, source)
		if err != nil {
			return nil, err
		}
		ids = append(ids, of...)
	}
	sessions, err := st.Conversations(ctx, ids)
	if err != nil {
		return nil, err
	}
	for i := range sessions {
		if by, ok := chat.StartedBy(&sessions[i]); ok && starts[by] {
			all = append(all, sessions[i].ID)
		}
	}
	return all, nil
}

// checkForgettable returns an error for a document that derives from a chat: the chat would still have its text.
func checkForgettable(c *store.Conversation) error {
	if c.Document == nil {
		return nil
	}
	origin, derived := c.Document.Origin()
	if !derived {
		return nil
	}
	return &errs.Error{
		Code: errs.Invalid, Op: "forget", Message: c.ID.String() + " derives from another conversation, which has its text",
		Hint: forgetOrigin(origin),
	}
}

func forgetOrigin(o store.Origin) string {
	if o.Turn == uuid.Nil {
		return "forget that conversation: lens forget --conversation " + o.Conversation.String()
	}
	return "forget the turn that it belongs to: lens forget --turn " + o.Turn.String()
}

// choose notes single turns, and those that the versions of whole chats have.
func (d doomed) choose(ctx context.Context, st store.Reader, ids []uuid.UUID) error {
	turns, err := st.Turns(ctx, ids)
	if err != nil {
		return err
	}
	for _, t := range turns {
		if _, whole := d.lost[t.Conversation]; !whole && t.Source.Chunked() {
			hint := "forget the whole document: lens forget --conversation " + t.Conversation.String()
			if origin, derived := t.Chunk.Document.Origin(); derived {
				hint = forgetOrigin(origin)
			}
			return &errs.Error{
				Code: errs.Invalid, Op: "forget", Message: "turn " + t.ID.String() + " is a part of a document", Hint: hint,
			}
		}
		d.chosen[t.ID], d.openers[t.UserMessage] = true, true
	}
	conversations, err := st.Conversations(ctx, d.whole)
	if err != nil {
		return err
	}
	for i := range conversations {
		if conversations[i].Source.Chunked() {
			continue
		}
		stored, err := readStored(ctx, st, conversations[i].ID)
		if err != nil {
			return err
		}
		for _, v := range stored.versions {
			copies, err := d.copiesIn(ctx, st, v)
			if err != nil {
				return err
			}
			openers(v.Messages, func(message uuid.UUID) {
				if turn := store.TurnID(message); !copies[turn] {
					d.chosen[turn], d.openers[message] = true, true
				}
			})
			d.cited.add(v, nil)
		}
	}
	return nil
}

// copiesIn returns the turns of a version that only repeat those of conversations that stay: they are not shown in this
// one.
func (d doomed) copiesIn(ctx context.Context, st store.Reader, v *store.Conversation) (map[uuid.UUID]bool, error) {
	shared, err := keptByOthers(ctx, st, v)
	for message, owner := range shared {
		if _, whole := d.lost[owner]; whole {
			delete(shared, message)
		}
	}
	return chat.Copies(v, setOf(shared)), err
}

// openers calls each for every message that opens a turn, in one version of its conversation or another.
func openers(messages []store.Message, each func(message uuid.UUID)) {
	for i := range messages {
		if chat.CanOpen(&messages[i]) {
			each(messages[i].ID)
		}
	}
}

// findElsewhere finds the chosen turns in conversations that stay: single ones, and copies of others.
func (d *doomed) findElsewhere(ctx context.Context, st store.Reader) error {
	if len(d.chosen) == 0 {
		return nil
	}
	catalog, err := st.Catalog(ctx)
	if err != nil {
		return err
	}
	ids, err := st.VersionedIDs(ctx)
	if err != nil {
		return err
	}
	for row, id := range catalog.ID {
		if d.chosen[id] {
			ids = append(ids, catalog.Conversations[catalog.Conversation[row]])
		}
	}
	owners, err := st.MessageOwners(ctx, slices.Collect(maps.Keys(d.openers)))
	if err != nil {
		return err
	}
	ids = slices.AppendSeq(ids, maps.Values(owners))
	for _, id := range ascending(ids) {
		if _, whole := d.lost[id]; whole {
			continue
		}
		if err := d.takeFrom(ctx, st, id); err != nil {
			return err
		}
	}
	return nil
}

// takeFrom notes what a conversation loses.
func (d *doomed) takeFrom(ctx context.Context, st store.Reader, id uuid.UUID) error {
	stored, err := readStored(ctx, st, id)
	if err != nil {
		return err
	}
	gone := stored.turnsLike(d.chosen)
	if len(gone) == 0 {
		return nil
	}
	turns, err := turnsOf(ctx, st, []uuid.UUID{id})
	if err != nil {
		return err
	}
	for _, v := range stored.versions {
		d.cited.add(v, gone)
	}
	stored.forget(gone)
	left := map[uuid.UUID]bool{}
	if len(stored.versions) == 0 {
		d.emptied = append(d.emptied, id)
	} else {
		d.changed[id] = stored
		folded := chat.Fold(stored.versions)
		for _, t := range folded.Turns {
			left[t.ID], left[store.TurnID(chat.OwnID(id, t.UserMessage))] = true, true
		}
		for turn, a := range chat.Answers(folded) {
			for _, shown := range a.ShownAs(id) {
				left[shown] = left[shown] || turn == a.ID()
			}
		}
	}
	d.lost[id] = slices.DeleteFunc(turns[id], func(t uuid.UUID) bool { return left[t] })
	return d.takeDerived(ctx, st, id, stored.versions)
}

// takeDerived notes what the documents that derive from a conversation lose. versions are what stays of it.
func (d *doomed) takeDerived(ctx context.Context, st store.Reader, id uuid.UUID, versions []*store.Conversation) error {
	derived, err := derivedTurns(ctx, st, []uuid.UUID{id})
	if err != nil || len(derived) == 0 {
		return err
	}
	left := map[uuid.UUID]bool{}
	if len(versions) > 0 {
		for _, doc := range derivedFrom(versions, chat.Fold(versions), nil) {
			for i := range doc.Turns {
				left[doc.Turns[i].ID] = true
			}
		}
	}
	for doc, turns := range derived {
		if turns = slices.DeleteFunc(turns, func(t uuid.UUID) bool { return left[t] }); len(turns) > 0 {
			d.derived[doc] = turns
		}
	}
	return nil
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

// forget removes what is doomed, and remembers it. It returns Forgotten.Titles.
func (d doomed) forget(ctx context.Context, st store.Store, tx store.Tx) (titles []string, err error) {
	if len(d.whole) == 0 && len(d.chosen) == 0 {
		return nil, nil
	}
	known, err := st.Forgotten(ctx)
	if err != nil {
		return nil, err
	}
	known.Add(d.whole...)
	known.Add(slices.Collect(maps.Keys(d.chosen))...)
	if titles, err = d.remove(ctx, &writer{st: st, rewritten: map[uuid.UUID]storedChat{}}, tx); err != nil {
		return nil, err
	}
	return titles, tx.PutForgotten(ctx, known)
}

// remove removes what is doomed: whole conversations first, so that others can take over the ids of their messages. It
// returns Forgotten.Titles.
func (d doomed) remove(ctx context.Context, w *writer, tx store.Tx) (titles []string, err error) {
	heirs, err := d.heirs(ctx, w, tx)
	if err != nil {
		return nil, err
	}
	if gone := slices.Concat(d.emptied, d.whole); len(gone) > 0 {
		derived, err := tx.DerivedIDs(ctx, gone)
		if err != nil {
			return nil, err
		}
		if _, err := tx.Forget(ctx, ascending(append(gone, derived...))); err != nil {
			return nil, err
		}
		for _, id := range gone {
			w.rewritten[id] = storedChat{}
		}
	}
	losing := map[uuid.UUID]struct{}{}
	for _, id := range slices.SortedFunc(maps.Keys(d.changed), compareIDs) {
		delete(losing, id) // those before it are written
		stored := d.changed[id]
		turns, err := tx.TurnStates(ctx, []uuid.UUID{id})
		if err != nil {
			return nil, err
		}
		r := &revision{writer: w, losing: losing, forget: true}
		if err := r.rewrite(ctx, tx, stored, turns, false); err != nil {
			return nil, err
		}
		if before := stored.conversation.Title; r.conversations[0].Title != before {
			titles = append(titles, before)
		}
		if err := r.write(ctx, tx); err != nil {
			return nil, err
		}
	}
	maps.Copy(losing, heirs)
	return titles, w.settle(ctx, tx, losing)
}

// heirs returns the conversations that stay and may take messages over that others lose, apart from those that remove
// writes after that anyway. What opens a forgotten turn in one conversation may be a reply in another, which keeps it.
func (d doomed) heirs(ctx context.Context, w *writer, tx store.Tx) (map[uuid.UUID]struct{}, error) {
	heirs := map[uuid.UUID]struct{}{}
	if len(d.chosen) == 0 {
		return heirs, nil
	}
	gone := map[uuid.UUID]bool{}
	for _, id := range slices.Concat(d.emptied, d.whole) {
		gone[id] = true
	}
	return heirs, w.eachVersioned(ctx, func(id uuid.UUID, stored storedChat) error {
		if gone[id] {
			return nil
		}
		_, changed := d.changed[id]
		for _, v := range stored.versions {
			owners, err := keptByOthers(ctx, tx, v)
			if err != nil {
				return err
			}
			for message, owner := range owners {
				left, loses := d.changed[owner]
				if gone[owner] && !changed || loses && !left.has(message) {
					heirs[id] = struct{}{}
				}
			}
		}
		return nil
	})
}
