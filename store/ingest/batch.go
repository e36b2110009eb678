package ingest

import (
	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
)

// The size of a batch unless Options say otherwise. Three are in memory at a time (one is read, one analyzed, one written), in three
// forms each (raw, text, terms), so this is what the memory of an import hangs on; a single conversation that is larger makes a
// batch of its own.
const (
	batchBytes   = 8 << 20 // of raw and text
	batchEntries = 2000
)

// entry is one entry of a file's array: a conversation, or why it could not be read.
type entry struct {
	file   int // index into Receipt.Files
	parsed *chat.Parsed
	skip   *chat.Skip
	terms  [][]store.TermCount // of parsed.Turns, from analyze; nil: not analyzed
}

// batch is what one transaction writes. No two of its conversations, and no two of its messages, have the same id: where one comes
// twice the batch is cut, so that what happens in which order never depends on where batches begin.
type batch struct {
	entries []entry
	read    int64 // bytes of all files read up to its end

	limit int
	bytes int
	ids   map[uuid.UUID]struct{}
}

// takes reports whether e belongs into b: whether there is room, and nothing of it is in b already.
func (b *batch) takes(e entry) bool {
	if len(b.entries) == 0 {
		return true
	}
	return len(b.entries) < batchEntries && b.bytes+e.bytes() <= b.limit && !b.holdsAny(e)
}

func (b *batch) holdsAny(e entry) bool {
	if e.parsed == nil {
		return false
	}
	if _, held := b.ids[e.parsed.ID]; held {
		return true
	}
	for i := range e.parsed.Messages {
		if _, held := b.ids[e.parsed.Messages[i].ID]; held {
			return true
		}
	}
	return false
}

func (b *batch) add(e entry) {
	b.entries = append(b.entries, e)
	b.bytes += e.bytes()
	if e.parsed == nil {
		return
	}
	if b.ids == nil {
		b.ids = make(map[uuid.UUID]struct{}, 1024)
	}
	b.ids[e.parsed.ID] = struct{}{}
	for i := range e.parsed.Messages {
		b.ids[e.parsed.Messages[i].ID] = struct{}{}
	}
}

// conversations returns the ids of the batch's conversations.
func (b *batch) conversations() []uuid.UUID {
	ids := make([]uuid.UUID, 0, len(b.entries))
	for _, e := range b.entries {
		if e.parsed != nil {
			ids = append(ids, e.parsed.ID)
		}
	}
	return ids
}

// perMessage is about what a message costs in memory besides its bytes.
const perMessage = 512

func (e entry) bytes() int {
	if e.parsed == nil {
		return perMessage
	}
	n := perMessage
	for i := range e.parsed.Messages {
		m := &e.parsed.Messages[i]
		n += len(m.Raw) + len(m.Text) + perMessage
	}
	return n
}
