package chat

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"lens/store"
)

// Edits follows the documents that the messages of a conversation create and change, along every branch: a message
// finds them as the messages above it left them.
//
// A document is as the active path leaves it. One that an abandoned branch changed is another document, whose key ends
// with that branch. See takenOut for what it said before.
type Edits struct {
	turns  map[uuid.UUID]uuid.UUID
	states map[uuid.UUID]editState // by message, as long as others may follow it
	left   map[uuid.UUID]int       // how many messages are to follow each
	steps  int                     // of regular expressions that may still be taken; never negative
	budget int                     // bytes of texts that may still be searched and written

	at      *store.Message
	state   editState
	found   map[string]*Edited
	ordered []*Edited

	passages map[string]*passages // of earlier versions, by key
	inOrder  []*passages
	earlier  int // bytes of them
}

// editState is the documents at a message, by key, and the first message of the abandoned branch that it is in.
type editState struct {
	documents map[string]*Edited // shared by messages that change nothing
	own       bool               // no other message has documents, or will
	last      string             // key of the document that was asked for last
	branch    uuid.UUID
}

// Edited is a document at some message.
type Edited struct {
	Derived
	undone []string // the first maxUndone changes that could not be made
	notes  []string // the first maxUndone remarks
	place  int      // in Edits.ordered
	before written  // the version that the message found
}

// The limits of a conversation bound the bytes of all texts that its edits search and write, and the steps of their
// regular expressions: by so much for each byte of its JSON, so that an import, too, takes time in proportion to its
// size, and by a maximum, so that one conversation cannot cost minutes. They count work and not time: what is found is
// a function of the conversation. Changes beyond are noted as such. The texts of maxUndone of them are kept.
const (
	minEdited     = 16 << 20
	maxEdited     = 256 << 20
	editedPerByte = 1000
	minSteps      = 4_000_000
	maxSteps      = 50_000_000
	stepsPerByte  = 1000
	maxUndone     = 1000
)

// Unapplied introduces a change that could not be made at the end of a text, so that its words can be found.
const Unapplied = "[change not applied]"

// NewEdits returns the edits of a conversation. Call At for each message, in order.
func NewEdits(c *store.Conversation) *Edits {
	e := &Edits{
		turns: FollowedTurns(c.Messages), states: map[uuid.UUID]editState{}, left: map[uuid.UUID]int{},
		found: map[string]*Edited{},
	}
	size := 0
	for i := range c.Messages {
		e.left[c.Messages[i].Parent]++
		size += len(c.Messages[i].Raw)
	}
	e.budget = min(minEdited+editedPerByte*size, maxEdited)
	e.steps = min(minSteps+stepsPerByte*size, maxSteps)
	return e
}

// At goes on to a message.
func (e *Edits) At(m *store.Message) {
	e.keep()
	e.at, e.state = m, e.states[m.Parent]
	if e.left[m.Parent]--; e.left[m.Parent] == 0 {
		delete(e.states, m.Parent)
	} else {
		e.state.own = false // others will follow the same message
		e.states[m.Parent] = e.state
	}
	switch {
	case m.OnPath:
		e.state.branch = uuid.Nil
	case e.state.branch == uuid.Nil:
		e.state.branch = m.ID
	}
}

// keep keeps the state for the messages that follow the present one.
func (e *Edits) keep() {
	if e.at != nil && e.left[e.at.ID] > 0 {
		e.states[e.at.ID] = e.state
	}
}

// Document returns the document with a key as it is here, to be changed; a new one if there is none.
func (e *Edits) Document(kind store.Kind, key string) *Edited {
	shown := key
	if e.state.branch != uuid.Nil {
		shown += "@" + e.state.branch.String()
	}
	before := e.state.documents[key]
	if e.pay(before); e.budget < 0 {
		before = e.found[shown]
	}
	d := &Edited{Derived: Derived{Kind: kind, Key: key}}
	if before != nil {
		*d = *before
		d.undone, d.notes = slices.Clone(before.undone), slices.Clone(before.notes)
	}
	if d.From != e.at.ID {
		if d.before = (written{d.From, d.Turn, d.Version}); before == nil {
			d.before = written{e.at.ID, e.turns[e.at.ID], 1}
		}
	}
	if e.budget >= 0 {
		e.own()[key] = d
	}
	d.Exported = false
	d.Key, d.Turn, d.From, e.state.last = shown, e.turns[e.at.ID], e.at.ID, key
	if before := e.found[shown]; before == nil {
		d.place = len(e.ordered)
		e.ordered = append(e.ordered, d)
	} else {
		d.place = before.place
		e.ordered[d.place] = d
	}
	e.found[shown] = d
	return d
}

// pay takes what a change of a document copies off the budget: what is known of it, and all documents, if messages of
// another branch have them, too. Without a budget no copies are made, and changes are noted where the archive shows
// them.
func (e *Edits) pay(d *Edited) {
	const perDocument, perNote = 512, 16
	if !e.state.own {
		e.budget -= perDocument * len(e.state.documents)
	}
	if d != nil {
		e.budget -= perNote * (len(d.undone) + len(d.notes))
	}
}

// own returns the documents here, to be changed.
func (e *Edits) own() map[string]*Edited {
	if !e.state.own {
		e.state.documents, e.state.own = maps.Clone(e.state.documents), true
	}
	if e.state.documents == nil {
		e.state.documents = map[string]*Edited{}
	}
	return e.state.documents
}

// Has reports whether there is a document with a key here.
func (e *Edits) Has(key string) bool { return e.state.documents[key] != nil }

// Last returns the key of the document that was created or changed last here; "": none was.
func (e *Edits) Last() string { return e.state.last }

// Note adds a remark on a document, such as a comment, at the end of its text. what says what it is.
func (d *Edited) Note(what, text string) {
	if strings.TrimSpace(text) != "" && len(d.notes) < maxUndone {
		d.notes = append(d.notes, "["+what+"]\n"+text)
	}
}

// Write gives a document another text.
func (e *Edits) Write(d *Edited, text string) {
	if e.budget -= len(text); e.budget < 0 {
		e.Undone(d, text)
		return
	}
	old := d.Text
	d.Version++
	d.undone, d.Unapplied = nil, 0
	d.Text, d.Cut = cut(text, MaxText)
	e.takenOut(d, old)
}

// Replace replaces the first occurrence of old in a document. new may be empty.
func (e *Edits) Replace(d *Edited, old, new string) {
	if e.budget -= len(d.Text) + len(new); e.budget >= 0 && old != "" {
		if at := strings.Index(d.Text, old); at >= 0 {
			before := d.Text
			d.Version++
			text, wasCut := cut(d.Text[:at]+new+d.Text[at+len(old):], MaxText)
			d.Text, d.Cut = text, d.Cut || wasCut
			e.takenOut(d, before)
			return
		}
	}
	e.Undone(d, new)
}

// Undone notes a change that could not be made: what it would have written.
func (e *Edits) Undone(d *Edited, text string) {
	d.Version++
	d.Unapplied++
	if strings.TrimSpace(text) != "" && len(d.undone) < maxUndone {
		d.undone = append(d.undone, Unapplied+"\n"+text)
	}
}

// Derived returns the documents, in the order of their first messages, and then what changes took out of them.
func (e *Edits) Derived() (all []Derived) {
	for _, d := range e.ordered {
		one := d.Derived
		if len(d.undone)+len(d.notes) > 0 {
			var b strings.Builder
			b.WriteString(one.Text)
			for _, text := range slices.Concat(d.undone, d.notes) {
				if b.Len()+len(text) > MaxText {
					one.Cut = true
					continue
				}
				b.WriteString("\n\n" + text)
			}
			one.Text = strings.TrimLeft(b.String(), "\n")
		}
		if strings.TrimSpace(one.Text) != "" {
			all = append(all, one)
		}
	}
	return append(all, e.earlierVersions()...)
}
