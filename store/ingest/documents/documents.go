// Package documents reads the text of documents and cuts it into chunks. It is pure.
//
// The rules are:
//
//   - What a file is, its name says. What it holds is text with headings above it and pages below it, where the format has them.
//   - A chunk is about 300 tokens of whole sentences under one heading, or whole lines of code. The next one begins with the last
//     sentences of it. Sections that are too short to stand alone share a chunk.
//   - A file that cannot be read is one sentence, and costs no other file anything.
package documents

import (
	"crypto/sha256"
	"path"
	"strings"
	"time"

	"lens/store"
	"lens/store/ingest/chat"
)

// version counts how often what is made of a file's bytes has changed: documents of another version are read again.
const version = "1"

// File is a document as it lies in its folder.
type File struct {
	Path     string // absolute, with slashes
	Tag      string // client_tag
	Modified time.Time
	Data     []byte
}

// Content is the hash by which a document that did not change is known: of its bytes, and of all else that decides what is made of them
// but for the time. So one that was only touched keeps its time.
func (f *File) Content() store.Hash {
	h := sha256.New()
	for _, part := range []string{version, f.Path, f.Tag, string(f.Data)} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return store.Hash(h.Sum(nil)[:16])
}

// Parse returns the document with its chunks, or why it cannot be read.
func Parse(f *File) (*chat.Parsed, *chat.Skip) {
	k, ok := kindOf(f.Path)
	switch {
	case !ok:
		return nil, &chat.Skip{Reason: "of a kind that Lens does not read"}
	case len(f.Data) > MaxSize:
		return nil, &chat.Skip{Reason: "larger than 64 MiB"}
	}
	t, reason := k.read(f.Data)
	if reason != "" {
		return nil, &chat.Skip{Reason: reason}
	}
	name := path.Base(f.Path)
	modified := f.Modified.UTC().Truncate(time.Microsecond)
	document := &chat.Document{
		Source: store.Documents, ID: f.Path, SourceID: f.Path, Title: strings.TrimSpace(t.title), Time: modified,
		Document: store.Document{Path: f.Path, Filename: name, ClientTag: f.Tag, Modified: modified, MIME: k.mime, Content: f.Content()},
	}
	if document.Title == "" {
		document.Title = name
	}
	for i, p := range cut(t.blocks) {
		heading := strings.Join(append([]string{name}, p.headings...), " › ")
		document.Pieces = append(document.Pieces, chat.Piece{Heading: heading, Text: p.text, Chunk: store.Chunk{Seq: i, Pages: p.pages}})
	}
	if len(document.Pieces) == 0 {
		return nil, &chat.Skip{Reason: "without text"}
	}
	return chat.BuildDocument(document), nil
}

// MaxSize is the size in bytes from which on a document is left out.
const MaxSize = 64 << 20

// text is what a document says.
type text struct {
	title  string
	blocks []block
}

// block is a paragraph, or some lines of code.
type block struct {
	headings []string // from the outermost on
	text     string
	page     int  // from 1; 0: none
	code     bool // lines, not sentences
}

// headings is the stack of headings that are open.
type headings struct {
	levels []int
	names  []string
}

// open closes all headings that are not above level, and opens name.
func (h *headings) open(level int, name string) {
	n := len(h.levels)
	for n > 0 && h.levels[n-1] >= level {
		n--
	}
	name = strings.Join(strings.Fields(name), " ")
	if len(name) > maxHeading {
		name = strings.ToValidUTF8(name[:maxHeading], "") + "…"
	}
	// Copies: blocks share what was there before.
	h.levels = append(h.levels[:n:n], level)
	h.names = append(h.names[:n:n], name)
}

const maxHeading = 120
