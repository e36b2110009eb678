package ingest

import (
	"cmp"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
)

// The default sizes of batches and transactions.
//
// An import analyzes and writes one batch at a time and commits one transaction at a time. Index keys are random, so
// every commit rewrites pages of all indexes: a few large commits cost much less than many small ones. inFlight bounds
// what is parsed but not yet written; Import says how much memory that takes.
const (
	transactionBytes = 48 << 20 // of raw and text
	batchBytes       = 3 << 20
	inFlight         = 3 * batchBytes
	batchEntries     = 2000
	largeDocument    = 4 * inFlight // about 3 MB of text
)

// entry is one element of a file's array: a conversation, or the reason why it was skipped.
type entry struct {
	file   int // index into Receipt.Files
	parsed *chat.Parsed
	skip   *chat.Skip

	known    *knownFile // instead: the file is not read again
	finished *knownFile // instead: the file was read to its end
	verdict  *verdict   // of skip: the document cannot be read; may be nil

	repeats   repeats       // what of parsed is counted elsewhere
	forgotten int           // conversations and turns that were left out
	terms     []store.Terms // of each of parsed.Turns; nil: not analyzed

	derived []derivedDocument // from parsed; nil: not made so far
}

// weight returns how much of inFlight an entry of that many bytes takes; a larger one takes all of it.
func weight(bytes int) int64 { return int64(min(bytes, inFlight)) }

// batch is a group of entries that are written together.
type batch struct {
	entries          []entry
	bytes            int
	opensTransaction bool           // begins a transaction, after the commit of the batches before
	finished         []finishedFile // of this batch or before, which those before do not have
	read             int64          // bytes of all files read up to its end
}

func (b *batch) add(e entry) {
	b.entries = append(b.entries, e)
	b.bytes += e.bytes()
}

// plan divides entries into batches and transactions. No two conversations of a transaction and no two messages of a
// batch have the same id: the second one goes into the next. A conversation that may take messages over from one before
// it begins a transaction, too, and so does one that may be forgotten, of which those before it have copies. So what a
// transaction reads of a conversation is committed.
type plan struct {
	limit         int // bytes of a transaction
	bytes         int // of the present one
	stored        existing
	read          map[uuid.UUID]struct{}           // conversations so far, also those of other transactions
	conversations map[uuid.UUID]store.Conversation // of the transaction, only what beganBefore compares
	messages      map[uuid.UUID]heldMessage        // of the transaction
	batch         int                              // number of the present one
}

// heldMessage says where a message is: of several with its id, the one in the conversation that began first.
type heldMessage struct {
	conversation uuid.UUID
	batch        int
}

// newPlan plans transactions of at most limit bytes; 0: transactionBytes.
func newPlan(limit int, stored existing) *plan {
	return &plan{
		limit:         cmp.Or(limit, transactionBytes),
		stored:        stored,
		read:          make(map[uuid.UUID]struct{}),
		conversations: make(map[uuid.UUID]store.Conversation),
		messages:      make(map[uuid.UUID]heldMessage),
	}
}

// place is where an entry goes.
type place int

const (
	sameBatch place = iota
	newBatch
	newTransaction // and batch
	nextTransaction
)

// add says where e goes, after the batch b. What must follow a commit goes into the next transaction if it may wait:
// no order of conversations matters to the archive, and a commit costs more than what it waits for.
func (p *plan) add(e entry, b *batch, mayWait bool) place {
	size := e.bytes()
	inBatch, takesOver := p.shares(e)
	where := sameBatch
	switch {
	case p.bytes > 0 && takesOver && mayWait:
		return nextTransaction
	case p.bytes > 0 && (takesOver || p.isFull(e)):
		where, p.bytes = newTransaction, 0
		clear(p.conversations)
		clear(p.messages)
	case len(b.entries) > 0 &&
		(len(b.entries) == batchEntries || b.bytes+size > min(p.limit, batchBytes) || inBatch):
		where = newBatch
	}
	p.batch += boolToInt(where != sameBatch)
	p.bytes += size
	p.remember(e)
	return where
}

// isFull reports whether the present transaction has no room for e.
func (p *plan) isFull(e entry) bool { return p.bytes+e.bytes() > p.limit || p.hasConversation(e) }

func (p *plan) hasConversation(e entry) bool {
	if e.parsed == nil {
		return false
	}
	_, held := p.conversations[e.parsed.ID]
	return held
}

// shares reports whether e has messages of the present batch, and whether it may take some over from a conversation of
// the transaction, or have them forgotten. One that is stored, or was read before, may have begun earlier than its file
// says, and may have lost messages in this transaction.
func (p *plan) shares(e entry) (inBatch, takesOver bool) {
	if e.parsed == nil {
		return false, false
	}
	for i := range e.parsed.Messages {
		held, shared := p.messages[e.parsed.Messages[i].ID]
		if !shared {
			continue
		}
		_, stored := p.stored.ids[e.parsed.ID]
		_, read := p.read[e.parsed.ID]
		inBatch = inBatch || held.batch == p.batch
		takesOver = takesOver || stored || read || p.stored.forgets ||
			beganBefore(e.parsed.Conversation, p.conversations[held.conversation])
	}
	return inBatch, takesOver
}

func (p *plan) remember(e entry) {
	if e.parsed == nil {
		return
	}
	p.read[e.parsed.ID] = struct{}{}
	p.conversations[e.parsed.ID] = store.Conversation{ID: e.parsed.ID, Created: e.parsed.Created}
	if e.parsed.Source.Chunked() { // the ids of its messages derive from its own
		return
	}
	for i := range e.parsed.Messages {
		id := e.parsed.Messages[i].ID
		held, shared := p.messages[id]
		if !shared {
			held.conversation = e.parsed.ID
		}
		held.batch = p.batch
		p.messages[id] = held
	}
}

// isLargeDocument reports whether e is a document that is written before anything else is read, some turns at a time.
func (e entry) isLargeDocument() bool {
	return e.parsed != nil && e.parsed.Source.Chunked() && e.bytes() > largeDocument
}

// conversations returns the ids of the conversations of b.
func (b *batch) conversations() []uuid.UUID {
	ids := make([]uuid.UUID, 0, len(b.entries))
	for _, e := range b.entries {
		if e.parsed != nil {
			ids = append(ids, e.parsed.ID)
		}
	}
	return ids
}

// perMessage estimates the memory of a message in addition to its bytes, perChunk that of a chunk in addition to its
// messages. A chunk is short, so its document, facts and terms weigh more than its text.
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
	for i := range e.parsed.Derived { // a chunk has about a thousand letters
		n += len(e.parsed.Derived[i].Text) * (1 + perChunk>>10)
	}
	for i := range e.parsed.Messages {
		m := &e.parsed.Messages[i]
		n += len(m.Raw) + len(m.Text) + perMessage
	}
	return n
}
