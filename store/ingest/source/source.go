// Package source says what an import must know of a kind of file with conversations: how to tell such files from all
// others, and how to read them. Each service or program has a package of its own below this one, which exports its
// formats; store/ingest/input lists them all.
package source

import (
	"io"
	"iter"

	"lens/store"
	"lens/store/ingest/chat"
)

// Format is one layout of files with conversations. A source may have several.
type Format struct {
	Source store.Source
	Name   string // as people know it: "DeepSeek"

	// Matches reports whether a file that begins like the sample has this layout. At most one format matches a file.
	Matches func(*Sample) bool

	// Read yields the conversations of a file, in the order of the file. For a conversation that cannot be read it
	// yields a *chat.Skip with the reason and continues; any other error is a *errs.Error and the last value.
	Read func(*File) Conversations

	// Generic marks a layout that many programs use, and that other data may have, too. It is only looked for in a
	// file that the user names, never in a folder or a zip.
	Generic bool

	// Unless is the base name of a file that has the same conversations, and more of them: where a folder or zip has it
	// beside a file of this layout, that file is passed over.
	Unless string
}

// File is a file to read.
type File struct {
	io.Reader        // its content, from the beginning, as UTF-8 where it is text
	Name      string // with slashes, from the folder or zip that the user named
}

// Conversations yields conversations, as Format.Read does.
type Conversations = iter.Seq2[*chat.Parsed, error]

// Reads returns the Read of a parser that needs nothing but the content of a file.
func Reads(parse func(io.Reader) Conversations) func(*File) Conversations {
	return func(f *File) iter.Seq2[*chat.Parsed, error] { return parse(f) }
}
