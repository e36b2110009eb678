// Package documents extracts the text of documents and cuts it into chunks. It does no I/O of its own.
//
// The rules are:
//
//   - A file's name decides its type. Its content is text, with headings and page numbers if the format has them.
//   - A chunk is about 300 tokens of whole sentences under one heading, or of whole lines of code. The next one repeats
//     its last sentences. Sections that are too short share a chunk.
//   - A file that cannot be read gives a short reason and does not affect other files.
package documents

import (
	"crypto/sha256"
	"path"
	"runtime/debug"
	"strings"
	"time"

	"lens/store"
	"lens/store/ingest/chat"
)

// version changes whenever a file's bytes give another result: documents of another version are parsed again.
const version = "1"

// File is the content of a document file.
type File struct {
	Path     string // absolute, with slashes
	Tag      string // client_tag
	Modified time.Time
	Data     []byte

	content store.Hash // zero: Content was not called
}

// Content returns the hash that identifies an unchanged document. It covers the bytes and everything else that decides
// the result, except the time: a file that was only touched keeps its stored time. It is that of the first call.
func (f *File) Content() store.Hash {
	if f.content != (store.Hash{}) {
		return f.content
	}
	h := sha256.New()
	for _, part := range [][]byte{[]byte(version), []byte(f.Path), []byte(f.Tag), f.Data} {
		h.Write(part)
		h.Write([]byte{0})
	}
	f.content = store.Hash(h.Sum(nil)[:16])
	return f.content
}

// Parse returns the document with its chunks, or the reason why it cannot be read. It takes f.Data, so that the bytes
// can be freed once their text is known: with all that it returns, it needs at most the greater of 64 MB and four times
// the text.
func Parse(f *File) (*chat.Parsed, *chat.Skip) {
	k, ok := kindOf(f.Path)
	switch {
	case !ok:
		return nil, &chat.Skip{Reason: Unsupported}
	case len(f.Data) > MaxSize:
		return nil, &chat.Skip{Reason: TooLarge}
	}
	if len(f.Data) >= largeFile {
		defer debug.SetGCPercent(debug.SetGCPercent(largeGC))
	}
	content := f.Content()
	data := f.Data
	f.Data = nil
	t, reason := k.read(data)
	if reason != "" {
		return nil, &chat.Skip{Reason: reason}
	}
	name := path.Base(f.Path)
	modified := f.Modified.UTC().Truncate(time.Microsecond)
	document := &chat.Document{
		Source: store.Documents, ID: f.Path, SourceID: f.Path, Title: strings.TrimSpace(t.title), Time: modified,
		Document: store.Document{
			Path: f.Path, Filename: name, ClientTag: f.Tag, Modified: modified, MIME: k.mime, Content: content,
		},
	}
	if document.Title == "" {
		document.Title = name
	}
	pieces := t.pieces()
	document.Pieces = make([]chat.Piece, 0, len(pieces))
	for i, p := range pieces {
		heading := strings.Join(append([]string{name}, p.headings...), " › ")
		chunk := store.Chunk{Seq: i, Pages: p.pages}
		document.Pieces = append(document.Pieces, chat.Piece{Heading: heading, Text: p.text, Chunk: chunk})
	}
	if len(document.Pieces) == 0 {
		return nil, &chat.Skip{Reason: "without text"}
	}
	return chat.BuildDocument(document), nil
}

// Unsupported is the reason for skipping a file of a type that Lens does not read.
const Unsupported = "of a kind that Lens does not read"

// TooLarge is the reason for skipping a file over MaxSize.
const TooLarge = "larger than 64 MiB"

// Untried is the reason for skipping a PDF because others, which take too long, still do.
const Untried = "PDF that was not tried, as others take too long"

// MaxSize is the greatest size of a document, in bytes. Larger ones are skipped.
const MaxSize = 64 << 20

// While a file of at least largeFile bytes is parsed, garbage is collected as soon as it is largeGC percent of what is
// in use: the copies that parsing makes are as large as the file, or as what is packed in it.
const (
	largeFile = 256 << 10
	largeGC   = 20
)

// text is the text of a document. It is cut as it comes: most is only kept in its pieces.
type text struct {
	title  string
	cutter cutter
}

// add adds blocks.
func (t *text) add(blocks ...block) {
	for i := range blocks {
		b := blocks[i] // a copy, so that the others can be freed
		t.cutter.block(&b)
	}
}

func (t *text) isEmpty() bool { return len(t.cutter.pieces)+len(t.cutter.units) == 0 }

// pieces returns the pieces of the text, whose last block was added.
func (t *text) pieces() []piece {
	t.cutter.endSection()
	return t.cutter.pieces
}

// block is a paragraph, or some lines of code.
type block struct {
	headings []string // from the outermost
	text     string
	page     int  // from 1; 0: the format has no pages
	code     bool // cut between lines, not sentences
}

// headings is the stack of open headings.
type headings struct {
	levels []int
	names  []string
}

// open closes all headings of the same or a deeper level, and opens name.
func (h *headings) open(level int, name string) {
	n := len(h.levels)
	for n > 0 && h.levels[n-1] >= level {
		n--
	}
	name = strings.Join(strings.Fields(name), " ")
	if len(name) > maxHeading {
		name = strings.ToValidUTF8(name[:maxHeading], "") + "…"
	}
	// Copy the slices, because blocks share the old ones.
	h.levels = append(h.levels[:n:n], level)
	h.names = append(h.names[:n:n], name)
}

const maxHeading = 120
