package ingest

import (
	"cmp"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
)

// The sizes of what moves through an import, unless Options say otherwise.
//
// A batch is what is analyzed and written at a time, a transaction what is committed: each commit writes the pages of all indexes
// anew, whose keys are random, so that few large ones cost much less than many small ones. inFlight bounds what has been parsed and
// is not yet written; see Import for what follows.
const (
	transactionBytes = 48 << 20 // of raw and text
	batchBytes       = 6 << 20
	inFlight         = 3 * batchBytes
	batchEntries     = 2000
)

// entry is one entry of a file's array: a conversation, or why it could not be read.
type entry struct {
	file   int // index into Receipt.Files
	parsed *chat.Parsed
	skip   *chat.Skip
	terms  [][]store.TermCount // of parsed.Turns, from analyze; nil: not analyzed
}

// weight is how much of inFlight an entry of so many bytes takes: one that is larger takes all of it.
func weight(bytes int) int64 { return int64(min(bytes, inFlight)) }

// batch is what is written at a time.
type batch struct {
	entries          []entry
	bytes            int
	opensTransaction bool  // a transaction: what came before is to be committed first
	read             int64 // bytes of all files read up to its end
}

func (b *batch) add(e entry) {
	b.entries = append(b.entries, e)
	b.bytes += e.bytes()
}

// plan cuts entries into batches and transactions, by what the files hold alone. No two conversations of a transaction have the same
// id, and no two messages of a batch: where one comes twice, what comes second is planned behind what is written. So what happens in
// which order never depends on where batches begin, and what a transaction finds of a conversation is all in the last commit.
type plan struct {
	limit         int // bytes of a transaction
	bytes         int // of the present one
	conversations map[uuid.UUID]struct{}
	messages      map[uuid.UUID]struct{} // of the present batch
}

// newPlan plans transactions of so many bytes; 0: transactionBytes.
func newPlan(limit int) *plan {
	return &plan{
		limit: cmp.Or(limit, transactionBytes), conversations: make(map[uuid.UUID]struct{}), messages: make(map[uuid.UUID]struct{}),
	}
}

// add reports whether e must go behind b, which holds what was placed last, and whether that opens a transaction.
func (p *plan) add(e entry, b *batch) (newBatch, newTransaction bool) {
	size := e.bytes()
	newTransaction = p.bytes > 0 && (p.bytes+size > p.limit || p.hasConversation(e))
	newBatch = newTransaction || len(b.entries) > 0 &&
		(len(b.entries) == batchEntries || b.bytes+size > min(p.limit, batchBytes) || p.hasMessageOf(e))
	if newTransaction {
		p.bytes = 0
		clear(p.conversations)
	}
	if newBatch {
		clear(p.messages)
	}
	p.bytes += size
	p.remember(e)
	return newBatch, newTransaction
}

func (p *plan) hasConversation(e entry) bool {
	if e.parsed == nil {
		return false
	}
	_, held := p.conversations[e.parsed.ID]
	return held
}

func (p *plan) hasMessageOf(e entry) bool {
	if e.parsed == nil {
		return false
	}
	for i := range e.parsed.Messages {
		if _, held := p.messages[e.parsed.Messages[i].ID]; held {
			return true
		}
	}
	return false
}

func (p *plan) remember(e entry) {
	if e.parsed == nil {
		return
	}
	p.conversations[e.parsed.ID] = struct{}{}
	for i := range e.parsed.Messages {
		p.messages[e.parsed.Messages[i].ID] = struct{}{}
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

// perMessage is about what a message costs in memory besides its bytes, perChunk what a chunk does besides its messages: it is short,
// so that its document, facts and terms weigh more than its text.
const (
	perMessage = 512
	perChunk   = 10 << 10
)

func (e entry) bytes() int {
	if e.parsed == nil {
		return perMessage
	}
	n := perMessage + 4*len(e.parsed.Vector)
	if e.parsed.Source.Chunked() {
		n += perChunk * len(e.parsed.Turns)
	}
	for i := range e.parsed.Messages {
		m := &e.parsed.Messages[i]
		n += len(m.Raw) + len(m.Text) + perMessage
	}
	return n
}
