package chat

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/google/uuid"

	"lens/store"
)

// Document is a document as its parser has it: text that nobody said, in pieces.
type Document struct {
	Source   store.Source
	ID       string // what tells the document from all others of its source
	SourceID string // what it calls itself
	Title    string
	Time     time.Time // of all its pieces; zero: unknown
	Document store.Document
	Pieces   []Piece
	Count    Count
}

// Piece is a part of a document, the text of one turn.
type Piece struct {
	Heading string // where in the document it stands: "plan.md › Budget"; empty: nowhere in particular
	Text    string
	Raw     []byte // JSON to keep with it; nil: none
	Chunk   store.Chunk
}

// BuildDocument gives a document ids, turns and hashes: a turn is a piece, its user message the heading where there is one, its assistant
// message the text. A piece's id is made of what it says, so that one that did not change keeps its id and its vector wherever
// others come and go, and a citation never leads to another text.
func BuildDocument(d *Document) *Parsed {
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	b := &documentBuilder{draft: d, hash: h, parsed: &Parsed{Count: d.Count}, seen: map[store.Hash]uint32{}}
	p := b.parsed
	p.ID, p.SourceID, p.Source = uuid.NewSHA1(Namespace, []byte(string(d.Source)+"\x00"+d.ID)), label(d.SourceID), d.Source
	p.Created, p.Updated, p.Document = d.Time, d.Time, b.document()
	p.Title, _ = cut(firstLine(Clean(d.Title)), MaxTitle)
	for i := range d.Pieces {
		b.add(&d.Pieces[i])
	}
	p.Count.Messages = len(p.Messages)
	p.Count.Nodes += len(p.Messages)
	p.Hash = b.conversation()
	return p
}

// documentBuilder is what the steps of BuildPaper share.
type documentBuilder struct {
	draft  *Document
	hash   *hasher
	parsed *Parsed
	seen   map[store.Hash]uint32 // how often each text came
}

func (b *documentBuilder) document() *store.Document {
	d := b.draft.Document
	for _, s := range []*string{&d.Path, &d.Filename, &d.ClientTag, &d.MIME} {
		*s = Clean(*s)
	}
	return &d
}

// add makes the turn of a piece.
func (b *documentBuilder) add(piece *Piece) {
	p := b.parsed
	heading, cutHeading := cut(Tidy(piece.Heading), MaxTitle)
	text, cutText := cut(Tidy(piece.Text), MaxText)
	for _, short := range []bool{cutHeading, cutText} {
		if short {
			p.Count.Truncated++
		}
	}
	key := b.key(heading, text)
	t := store.Turn{
		Conversation: p.ID, Title: p.Title, Source: p.Source, Position: len(p.Turns), OnPath: true, Time: b.draft.Time,
		Embeddable: text != "", UserText: heading, AssistantText: text,
	}
	if t.Time.IsZero() {
		t.TimeSource = store.Undated
	}
	chunk := piece.Chunk
	chunk.Document, t.Chunk = *p.Document, &chunk
	reply := b.message(key+" text", store.Assistant, text, piece.Raw)
	t.UserMessage, t.Assistant = reply.ID, reply.ID
	if heading != "" {
		user := b.message(key+" heading", store.User, heading, nil)
		t.UserMessage, reply.Parent = user.ID, user.ID
		t.ID = store.TurnID(t.UserMessage)
		b.keep(user, t.ID)
	}
	t.ID = store.TurnID(t.UserMessage)
	b.keep(reply, t.ID)
	t.Hash = b.turn(&t)
	p.Turns = append(p.Turns, t)
}

// key names a piece by what it says, and by how many of the same came before it.
func (b *documentBuilder) key(heading, text string) string {
	sum := sha256.Sum256([]byte(heading + "\x00" + text))
	h := store.Hash(sum[:16])
	n := b.seen[h]
	b.seen[h] = n + 1
	return string(binary.BigEndian.AppendUint32(h[:], n))
}

func (b *documentBuilder) message(key string, role store.Role, text string, raw []byte) store.Message {
	id := messageUUID(b.parsed.ID.String(), key)
	if raw == nil {
		raw = []byte("{}")
	}
	raw, tooLong := keepRaw(raw, MaxRaw)
	if tooLong {
		b.parsed.Count.Truncated++
	}
	return store.Message{
		ID: id, SourceID: id.String(), Role: role, ContentType: "text", Text: text, Time: b.draft.Time, Visible: true, OnPath: true, Raw: raw,
	}
}

func (b *documentBuilder) keep(m store.Message, turn uuid.UUID) {
	m.Seq, m.Turn = len(b.parsed.Messages), turn
	b.hash.string(m.Text)
	m.Hash = b.hash.message(&m, b.hash.done())
	b.parsed.Messages = append(b.parsed.Messages, m)
}

func (b *documentBuilder) turn(t *store.Turn) store.Hash {
	h := b.hash
	h.string(t.UserText)
	h.string(t.AssistantText)
	h.id(t.Conversation)
	h.time(t.Time)
	h.int(t.Position)
	h.string(t.Chunk.ID)
	h.int(t.Chunk.Seq)
	h.int(t.Chunk.Pages.First)
	h.int(t.Chunk.Pages.Last)
	h.bytes(t.Chunk.Meta)
	for _, fact := range t.Chunk.Facts() {
		h.string(fact)
	}
	return h.done()
}

func (b *documentBuilder) conversation() store.Hash {
	h, d := b.hash, b.parsed.Document
	whole := h.conversation(&b.parsed.Conversation)
	h.hash(whole)
	for _, s := range []string{d.Path, d.Filename, d.ClientTag, d.MIME} {
		h.string(s)
	}
	h.time(d.Modified)
	h.hash(d.Content)
	h.bool(d.Gone)
	return h.done()
}
