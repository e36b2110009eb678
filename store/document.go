package store

import (
	"time"
)

// Document is what is known of the file that a conversation of chunks was made of.
type Document struct {
	Path      string    // with slashes; absolute, on the machine that imported it
	Filename  string    // the last element of Path
	ClientTag string    // whose it is, as the person who imported it said; "": nobody said
	Modified  time.Time // UTC, microseconds; zero: unknown
	MIME      string
	Content   Hash // of the file's bytes and of all that decides what is made of them
	Gone      bool // it was no longer there when its folder was last imported
}

// Chunk is what a turn has besides when it is a piece of a document or a record of chunk JSONL.
type Chunk struct {
	Document Document // filled on reading from the conversation's, ignored on writing
	ID       string   // of a record: as given; of a piece of a document: ""
	Seq      int      // which piece of its document, from 0
	Pages    PageSpan
	Meta     []byte // the JSON object that came with a record, as it was written but for what cannot be stored; nil: none
}

// PageSpan is the pages of a document that a chunk lies on, from 1. Zero: it has no pages.
type PageSpan struct{ First, Last int }
