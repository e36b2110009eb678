package ingest

import (
	"hash/fnv"
	"slices"

	"github.com/google/uuid"

	"lens/store/ingest/chat"
)

// outcome counts what a batch changed, or would change in a dry run.
type outcome struct {
	conversations Changes
	messages      Changes
	olderMessages int // of messages.New, those that an older version of their conversation added
	newTurns      int
	derived       int // documents that were written or removed because others derive now
	forgotten     int // conversations and turns that were left out
}

// repeats are what the archive has once though an entry has it again: of a conversation that another file of the import
// has, too, or of one that the entry continues. A receipt counts it where it was first.
type repeats struct {
	conversation bool
	messages     int
	turns        map[uuid.UUID]bool
	derived      []bool // of each of parsed.Derived; nil: none
}

// tally knows the conversations that an import has counted.
type tally map[uuid.UUID]talliedChat

type talliedChat struct {
	unchanged bool
	derived   []uint64 // hashes of the kinds and keys of what derives from it
}

// addKnown adds the conversations of a file that is not read again; nil: there is none.
func (t tally) addKnown(f *knownFile) {
	if f == nil {
		return
	}
	for id := range f.Counted.all() {
		t[id] = talliedChat{unchanged: true}
	}
	for id, keys := range f.DerivedKeys {
		known := t[id]
		known.derived = slices.Concat(known.derived, keys)
		t[id] = known
	}
}

// change is what an import does with a conversation.
type change int

const (
	isNew change = iota
	isUpdated
	isUnchanged
)

// count counts a conversation. One that was counted as unchanged, and now is not, changes its place.
func (o *outcome) count(e *entry, is change, seen tally) {
	p := e.parsed
	before, again := seen[p.ID]
	now := talliedChat{is == isUnchanged && (before.unchanged || !again), before.derived}
	for i := range p.Derived {
		key := derivedKey(&p.Derived[i])
		if again && slices.Contains(before.derived, key) {
			e.repeats.ofDerived(i, len(p.Derived))
			continue
		}
		now.derived = append(now.derived, key)
	}
	seen[p.ID] = now
	e.repeats.conversation = again
	switch {
	case p.Beside:
		o.derived += boolToInt(is != isUnchanged)
	case again && before.unchanged && is != isUnchanged:
		o.conversations.Unchanged--
		o.conversations.Updated++
	case again:
	case is == isNew:
		o.conversations.New++
	case is == isUpdated:
		o.conversations.Updated++
	default:
		o.conversations.Unchanged++
	}
}

func derivedKey(d *chat.Derived) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(string(d.Kind) + "/" + d.Key))
	return h.Sum64()
}

func (r *repeats) ofDerived(i, n int) {
	if r.derived == nil {
		r.derived = make([]bool, n)
	}
	r.derived[i] = true
}

// copiesIn notes what of a conversation only repeats others, which have the messages in shared, and returns those
// messages.
func (e *entry) copiesIn(shared map[uuid.UUID]bool) (messages map[uuid.UUID]bool) {
	p := e.parsed
	e.repeats = repeats{turns: map[uuid.UUID]bool{}}
	if len(shared) == 0 || !chat.Repeats(p.Source) {
		return nil
	}
	e.repeats.turns = chat.Copies(&p.Conversation, shared)
	messages = map[uuid.UUID]bool{}
	for i := range p.Messages {
		m := &p.Messages[i]
		if shared[m.ID] && (m.Turn == uuid.Nil || e.repeats.turns[m.Turn]) {
			messages[m.ID] = true
		}
	}
	for i := range p.Derived {
		if messages[p.Derived[i].From] {
			e.repeats.ofDerived(i, len(p.Derived))
		}
	}
	e.repeats.messages = len(messages)
	return messages
}

// countUnchanged counts a conversation that changes nothing.
func (o *outcome) countUnchanged(e *entry, shared map[uuid.UUID]bool, seen tally) {
	p := e.parsed
	e.copiesIn(shared)
	if o.count(e, isUnchanged, seen); e.repeats.conversation {
		e.repeats.messages = e.countedMessages()
		for i := range p.Turns {
			e.repeats.turns[p.Turns[i].ID] = true
		}
	}
	o.messages.Unchanged += e.countedMessages() - e.repeats.messages
}

// countNew counts a conversation that is not stored yet. Its copies of the messages that others have are nothing new.
func (o *outcome) countNew(e *entry, shared map[uuid.UUID]bool, seen tally) {
	e.copiesIn(shared)
	o.count(e, isNew, seen)
	o.messages.New += e.countedMessages() - e.repeats.messages
	o.newTurns += len(e.parsed.Turns) - len(e.repeats.turns)
}

// countedMessages returns how many messages a receipt counts, those that repeat others included. What a service keeps
// beside the chats has none.
func (e *entry) countedMessages() int {
	if e.parsed.Beside {
		return 0
	}
	return len(e.parsed.Messages)
}
