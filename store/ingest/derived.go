package ingest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/documents"
	"lens/store/ingest/input"
	"lens/store/terms"
)

// What derives from a chat, such as an attachment or an artifact, is a document of its own, whose path names the
// conversation and the turn that it came from. It is found again in the versions of the conversation whenever that is
// written: so it depends on the versions and on what is forgotten alone, and not on their order. Of versions that know
// it, the newest says what it is.

// derivedDocument is a document that derives from a chat.
type derivedDocument struct {
	*chat.Parsed
	terms []store.Terms
}

// derivedFrom returns the documents that derive from versions of a conversation, the newest last. folded is what the
// archive shows of it, renamed the ids of messages there by those of the files. A document belongs to the turn that its
// message has there, which may not be the one of its version: another answer was chosen, say.
func derivedFrom(
	versions []*store.Conversation, folded *store.Conversation, renamed map[uuid.UUID]uuid.UUID,
) (all []derivedDocument) {
	format := input.WithDerived(folded.Source)
	if format == nil {
		return nil
	}
	at := turnsByMessage(folded)
	type place struct {
		kind store.Kind
		from uuid.UUID
		text string
	}
	type known struct {
		at       int // index into all
		updated  time.Time
		exported bool
	}
	keys, places := map[string]known{}, map[place]bool{}
	for _, v := range slices.Backward(versions) {
		for _, d := range format.Derive(v) {
			key, same := string(d.Kind)+"/"+d.Key, place{d.Kind, d.From, d.Title + "\x00" + d.Text}
			newer, there := keys[key]
			better := there && d.Exported && !newer.exported && v.Updated.Equal(newer.updated)
			if there && !better || !there && v != versions[len(versions)-1] && places[same] {
				continue
			}
			keys[key], places[same] = known{len(all), v.Updated, d.Exported}, true
			if better {
				keys[key] = known{newer.at, v.Updated, true}
			}
			of, ok := at[d.From]
			if now, other := renamed[d.From]; other && !ok {
				of, ok = at[now]
			}
			if !ok && chat.Repeats(folded.Source) {
				continue // a copy, which is shown where it is from
			}
			document := derivedDocument{Parsed: documentOf(&d, folded, of)}
			if better {
				all[newer.at] = document
				continue
			}
			all = append(all, document)
		}
	}
	return slices.DeleteFunc(all, func(d derivedDocument) bool { return d.Parsed == nil })
}

// turnsByMessage returns the turn that each message belongs to or follows.
func turnsByMessage(c *store.Conversation) map[uuid.UUID]*store.Turn {
	turns := make(map[uuid.UUID]*store.Turn, len(c.Turns))
	for i := range c.Turns {
		turns[c.Turns[i].ID] = &c.Turns[i]
	}
	at := make(map[uuid.UUID]*store.Turn, len(c.Messages))
	for message, turn := range chat.FollowedTurns(c.Messages) {
		at[message] = turns[turn]
	}
	return at
}

// ofParsed returns the documents that derive from a conversation that was just parsed.
func ofParsed(p *chat.Parsed) (all []derivedDocument) {
	if len(p.Derived) == 0 {
		return nil
	}
	at := turnsByMessage(&p.Conversation)
	for i := range p.Derived {
		if d := documentOf(&p.Derived[i], &p.Conversation, at[p.Derived[i].From]); d != nil {
			all = append(all, derivedDocument{Parsed: d})
		}
	}
	return all
}

// documentOf makes a document of a text that derives from a turn of a conversation, nil if it has no text.
func documentOf(d *chat.Derived, c *store.Conversation, of *store.Turn) *chat.Parsed {
	origin := store.Origin{Conversation: c.ID}
	when := d.Time
	if when.IsZero() {
		when = c.Created
	}
	if of != nil {
		origin.Turn, when = of.ID, of.Time
	}
	const longestKey = 512 // of a path
	key := d.Key
	if len(key) > longestKey {
		key = chat.ContentID(key)
	}
	content := sha256.Sum256([]byte(d.Text))
	document := &chat.Document{
		Source: c.Source.Of(d.Kind), ID: c.ID.String() + "\x00" + d.Key, SourceID: d.Key, Title: d.Title,
		Time: when, OffPath: d.Earlier || of != nil && !of.OnPath, Earlier: d.Earlier,
		Document: store.Document{
			Path: origin.Path(d.Kind, key), Filename: d.Name, MIME: d.MIME, Content: store.Hash(content[:16]),
		},
	}
	if document.Title == "" {
		document.Title = c.Title
	}
	document.Heading = document.Title
	document.Pieces = documents.Cut(d.Name, d.MIME, d.Text)
	for i := range document.Pieces {
		if d.Version > 0 {
			document.Pieces[i].Chunk.Meta = fmt.Appendf(nil, `{"version":%d}`, d.Version)
		}
	}
	if len(document.Pieces) == 0 {
		return nil
	}
	return chat.BuildDocument(document)
}

// putNewDerived adds the documents that derive from a conversation that is not stored yet.
func (r *revision) putNewDerived(all []derivedDocument) {
	for _, d := range all {
		r.putParsed(d.Parsed, d.Messages)
		for i := range d.Turns {
			r.freshTurn(d.Turns[i], d.termsOf(i, &r.analyzer))
		}
	}
}

// putDerived replaces the documents that derive from a stored conversation; blind as for rewrite.
func (r *revision) putDerived(
	ctx context.Context, tx store.Tx, of uuid.UUID, all []derivedDocument, blind bool,
) error {
	stored, err := tx.DerivedIDs(ctx, []uuid.UUID{of})
	if err != nil || len(stored)+len(all) == 0 {
		return err
	}
	states, err := tx.ConversationStates(ctx, stored)
	if err != nil {
		return err
	}
	for _, d := range all {
		state, known := states[d.ID]
		delete(states, d.ID)
		switch {
		case !known:
			r.putNewDerived([]derivedDocument{d})
		case state.Hash != d.Hash:
			err = r.replaceDerived(ctx, tx, d, blind)
		default:
			continue
		}
		r.derived++
		if err != nil {
			return err
		}
	}
	for id := range states {
		r.goneDocuments = append(r.goneDocuments, id)
	}
	r.derived += len(states)
	slices.SortFunc(r.goneDocuments, compareIDs)
	return nil
}

// replaceDerived writes a stored document as it is now. What it no longer has goes.
func (r *revision) replaceDerived(ctx context.Context, tx store.Tx, d derivedDocument, blind bool) error {
	id := []uuid.UUID{d.ID}
	messages, err := tx.MessageStates(ctx, id)
	if err != nil {
		return err
	}
	turns, err := tx.TurnStates(ctx, id)
	if err != nil {
		return err
	}
	r.putParsed(d.Parsed, d.Messages)
	r.removeMissing(&d.Conversation, nil, messages, turns)
	var changed []changedTurn
	for i := range d.Turns {
		t := &d.Turns[i]
		switch state, known := turns[t.ID]; {
		case !known:
			r.freshTurn(*t, d.termsOf(i, &r.analyzer))
		case state.Hash != t.Hash || state.OnPath != t.OnPath:
			changed = append(changed, changedTurn{t, d.termsOf(i, &r.analyzer)})
		}
	}
	return r.addChangedTurns(ctx, changed, blind)
}

// termsOf returns the terms of a turn.
func (d *derivedDocument) termsOf(turn int, a *terms.Analyzer) store.Terms {
	if d.terms == nil {
		return turnTerms(a, &d.Turns[turn])
	}
	return d.terms[turn]
}

// derivedTurns returns the turns of what derives from stored conversations, by document.
func derivedTurns(ctx context.Context, st store.Reader, of []uuid.UUID) (map[uuid.UUID][]uuid.UUID, error) {
	ids, err := st.DerivedIDs(ctx, of)
	if err != nil {
		return nil, err
	}
	return turnsOf(ctx, st, ids)
}
