package chat

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/google/uuid"

	"lens/store"
)

// Document is a document or record as its parser returns it, cut into pieces.
type Document struct {
	Source   store.Source
	ID       string // unique within the source
	SourceID string // the id that the source uses
	Title    string
	Heading  string    // of all its pieces, before their own; unlike those, it may change: no id derives from it
	Time     time.Time // of all its pieces; zero: unknown
	OffPath  bool      // it belongs to an abandoned branch, or is of an earlier version
	Earlier  bool      // it has no vectors: a later version says about the same
	Document store.Document
	Pieces   []Piece
	Count    Count
}

// Piece is a part of a document, the text of one turn.
type Piece struct {
	Heading string // its place in the document: "plan.md › Budget"; may be empty
	Text    string
	Raw     []byte // JSON to keep with it; may be nil
	Chunk   store.Chunk
}

// HeadingSeparator stands between the headings of a piece.
const HeadingSeparator = " › "

// BuildDocument makes a conversation of a document. Each piece becomes a turn: its heading, if any, the user message,
// its text the assistant message. A piece's id derives from its content: while it does not change, it keeps its id and
// its vector when other pieces come and go, and a citation never leads to another text.
func BuildDocument(d *Document) *Parsed {
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	b := &documentBuilder{draft: d, hash: h, parsed: &Parsed{Count: d.Count}, seen: map[store.Hash]uint32{}}
	p := b.parsed
	p.ID, p.SourceID, p.Source = uuid.NewSHA1(Namespace, []byte(string(d.Source)+"\x00"+d.ID)), label(d.SourceID), d.Source
	p.Created, p.Updated, p.Document = d.Time, d.Time, b.document()
	p.Title, _ = cut(firstLine(Clean(d.Title)), MaxTitle)
	p.Turns, p.Messages = make([]store.Turn, 0, len(d.Pieces)), make([]store.Message, 0, 2*len(d.Pieces))
	for i := range d.Pieces {
		b.add(&d.Pieces[i])
	}
	p.Count.Messages = len(p.Messages)
	p.Count.Nodes += len(p.Messages)
	p.Hash = b.conversation()
	return p
}

// documentBuilder is the state that the steps of BuildDocument share.
type documentBuilder struct {
	draft  *Document
	hash   *hasher
	parsed *Parsed
	seen   map[store.Hash]uint32 // how often each text occurred so far
}

func (b *documentBuilder) document() *store.Document {
	d := b.draft.Document
	for _, s := range []*string{&d.Path, &d.Filename, &d.ClientTag, &d.MIME} {
		*s = Clean(*s)
	}
	return &d
}

// add adds the turn of a piece.
func (b *documentBuilder) add(piece *Piece) {
	p := b.parsed
	own, _ := cut(Tidy(piece.Heading), MaxTitle)
	heading, cutHeading := cut(joinHeadings(Tidy(b.draft.Heading), Tidy(piece.Heading)), MaxTitle)
	text, cutText := cut(Tidy(piece.Text), MaxText)
	for _, short := range []bool{cutHeading, cutText} {
		if short {
			p.Count.Truncated++
		}
	}
	key := b.key(own, text)
	t := store.Turn{
		Conversation: p.ID, Title: p.Title, Source: p.Source, Position: len(p.Turns),
		OnPath: !b.draft.OffPath, Time: b.draft.Time,
		Embeddable: text != "" && !b.draft.Earlier, UserText: heading, AssistantText: text,
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

func joinHeadings(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + HeadingSeparator + b
}

// key derives a piece's key from its content and from the number of equal pieces before it.
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
		ID: id, SourceID: id.String(), Role: role, ContentType: "text", Text: text, Time: b.draft.Time,
		Visible: true, OnPath: !b.draft.OffPath, Raw: raw,
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
	common := h.conversation(&b.parsed.Conversation)
	h.hash(common)
	for _, s := range []string{d.Path, d.Filename, d.ClientTag, d.MIME} {
		h.string(s)
	}
	h.time(d.Modified)
	h.hash(d.Content)
	h.bool(d.Gone)
	return h.done()
}
