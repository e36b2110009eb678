// Package source says what an import must know of a kind of file with conversations: how to tell such files from all
// others, and how to read them. Each service or program has a package of its own below this one, which exports its
// formats; store/ingest/input lists them all.
package source

import (
	"io"
	"iter"
	"path"
	"regexp"
	"strings"

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

	// Get says how people get such files: "Settings, Data controls, Export data". "": another format of this name says it.
	Get string

	// Kept are the places where a program keeps such files, most likely first; nil for what has to be downloaded.
	Kept []Place

	// Download matches the names under which such files are downloaded; nil if they have none of their own.
	Download func() *regexp.Regexp

	// Derive finds what derives from a stored conversation, as its parser did; nil: nothing. It is the same for all
	// formats of a source.
	Derive chat.Derive

	// Tools says that these are sessions with a coding tool, whose calls, results and thoughts are kept only on request.
	// Derive is chat.DeriveTools.
	Tools bool

	// FindTools finds results of tools and thoughts in a message of a chat, not of a session; nil: it has none. Derive
	// finds those that were kept, with chat.KeptTools.
	FindTools chat.FindTools

	// Generic marks a layout that many programs use, and that other data may have, too. It is only looked for in a
	// file that the user names, never in a folder or a zip.
	Generic bool

	// Mark is in the first 8 KB of each file of a layout that is neither JSON nor a database: files that have it are
	// asked whether they match, whatever their names. "": the names say enough.
	Mark string

	// Note marks a layout of text that people save among their notes: such files do not make a folder an export, and the
	// others in it are read as documents.
	Note bool

	// Unless is the base name of a file that has the same conversations, and more of them: where a folder or zip has it
	// beside a file of this layout, that file is passed over.
	Unless string

	// Companion reports whether a file called name, with its folders, belongs to those of this layout and is read with
	// them. nil: none does.
	Companion func(name string) bool
}

// File is a file to read.
type File struct {
	io.Reader        // its content, from the beginning, as UTF-8 where it is text
	Name      string // with slashes, from the folder or zip that the user named; empty for what came through a pipe
	Folder    Folder // the companions of the format there; nil: none

	// Database opens the file and its write-ahead log as a database; nil unless it is one. The caller closes it.
	Database func() (*Database, error)
}

// Stem returns the name of the file without its folders and extension.
func (f *File) Stem() string {
	base := path.Base(f.Name) // "." of an empty name
	return strings.TrimSuffix(base, path.Ext(base))
}

// Folder is what a folder or zip has of the companions of a format.
type Folder interface {
	// List returns the names of the files in a folder given by its name, without those in its folders, in order.
	List(folder string) []string

	// Open opens a file by its name, as List returns it.
	Open(name string) (io.ReadCloser, error)
}

// Conversations yields conversations, as Format.Read does.
type Conversations = iter.Seq2[*chat.Parsed, error]

// Reads returns the Read of a parser that needs nothing but the content of a file.
func Reads(parse func(io.Reader) Conversations) func(*File) Conversations {
	return func(f *File) iter.Seq2[*chat.Parsed, error] { return parse(f) }
}

// ReadsDatabase returns the Read of a parser of databases.
func ReadsDatabase(parse func(*Database) Conversations) func(*File) Conversations {
	return func(f *File) Conversations {
		return func(yield func(*chat.Parsed, error) bool) {
			if f.Database == nil {
				return
			}
			d, err := f.Database()
			if err != nil {
				yield(nil, err)
				return
			}
			defer d.Close()
			for p, err := range parse(d) {
				if !yield(p, err) {
					return
				}
			}
		}
	}
}

// IsLogOf reports whether a file is the write-ahead log of a database, or the index of one: the Companion of formats
// that are databases.
func IsLogOf(name string) bool {
	return strings.HasSuffix(name, LogSuffix) || strings.HasSuffix(name, "-shm")
}

// LogSuffix ends the name of a database's write-ahead log.
const LogSuffix = "-wal"
