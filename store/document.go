package store

import (
	"time"
)

// Document describes the file from which a conversation of chunks was made.
type Document struct {
	Path      string    // with slashes; absolute, on the machine that imported it
	Filename  string    // the last element of Path
	ClientTag string    // the owner, as given at import; "": not given
	Modified  time.Time // UTC, microseconds; zero: unknown
	MIME      string
	Content   Hash // of the file's bytes and of everything that decides how they are cut into chunks
	Gone      bool // the file was missing when its folder was last imported
}

// Chunk holds the additional fields of a turn that is a piece of a document or a record of chunk
// JSONL.
type Chunk struct {
	Document Document // of the conversation; filled on reading, ignored on writing
	ID       string   // of a record: as given; "" for a piece of a document
	Seq      int      // position in its document, from 0
	Pages    PageSpan
	Meta     []byte // a record's JSON object as written, without what cannot be stored; nil: none
}

// PageSpan is the range of pages that a chunk lies on, counted from 1. Zero: the document has no
// pages.
type PageSpan struct{ First, Last int }
