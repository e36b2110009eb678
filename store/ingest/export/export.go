// Package export writes turns as files. A format is one file of this package and one line of Formats; the flags, the
// help and the completions of the front ends are made from that list.
//
// The rules are:
//
//   - A format writes every turn that it is given, once, in the given order.
//   - Equal turns give equal bytes: no clock, no random number, no order of a map.
//   - Nothing grows with the number of turns: an archive may be larger than the memory.
//   - Texts are hostile. Write makes control characters visible; a format escapes whatever else its readers would
//     interpret.
package export

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"lens/store"
)

// Formats are all formats. The first one is the default.
var Formats = List{
	JSONL,
	Markdown,
	CSV,
	HTML,
}

// Format is a way to write turns.
type Format struct {
	Name        string // "md"
	Extension   string // of its files: ".md"
	Description string // a few words: "a document"

	// Disarm makes a text harmless to the programs that open such files, before it is encoded. Raw exports go without it.
	// nil: Encode escapes everything that is harmful.
	Disarm func(text string) string

	// EscapesControls tells that the format is JSON, which escapes control characters itself. The lines of all other
	// formats pass through cleantext.Text.
	EscapesControls bool

	// Encode writes turns to w and returns the first error of turns. It may ignore the errors of w: turns ends with
	// them.
	Encode func(w *bufio.Writer, turns iter.Seq2[*store.Turn, error]) error
}

// Options says where an export goes. The zero value is for files and pipes.
type Options struct {
	Raw      bool // keep the texts exactly as they are, except for a terminal
	Terminal bool // a terminal shows the output
}

// Write writes turns to w and returns how many. Errors: those of turns, of ctx and of w; after one of turns or ctx, w
// has the turns before it.
func (f Format) Write(
	ctx context.Context, w io.Writer, turns iter.Seq2[store.Turn, error], opts Options,
) (n int, err error) {
	lines := &lineCleaner{to: w, clean: f.lineCleaning(opts)}
	out := bufio.NewWriterSize(lines, 64<<10)
	var unread error
	err = f.Encode(out, func(yield func(*store.Turn, error) bool) {
		for t, err := range turns {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				unread = err
				yield(nil, err)
				return
			}
			if f.Disarm != nil && (!opts.Raw || opts.Terminal) {
				f.disarm(&t)
			}
			if !yield(&t, nil) {
				return
			}
			n++
			if _, err := out.Write(nil); err != nil { // the first failed write since
				yield(nil, err)
				return
			}
		}
	})
	if err == nil || unread != nil { // also after an error of turns: the turns before it
		err = out.Flush()
	}
	if err == nil {
		err = lines.flush()
	}
	if unread != nil {
		return n, unread
	}
	if err != nil {
		return n, fmt.Errorf("cannot write the export: %w", err)
	}
	return n, nil
}

// List is a list of formats.
type List []Format

// Named returns the format with this name, if there is one.
func (l List) Named(name string) (Format, bool) {
	return l.first(func(f Format) bool { return f.Name == name })
}

// OfFile returns the format that the extension of a file's name stands for, if there is one.
func (l List) OfFile(name string) (Format, bool) {
	return l.first(func(f Format) bool { return strings.EqualFold(f.Extension, filepath.Ext(name)) })
}

func (l List) first(is func(Format) bool) (Format, bool) {
	at := slices.IndexFunc(l, is)
	if at < 0 {
		return Format{}, false
	}
	return l[at], true
}

// Names lists the names for a sentence: "jsonl, md or csv".
func (l List) Names() string { return l.enumerate(func(f Format) string { return f.Name }) }

// Extensions lists the extensions for a sentence: ".jsonl, .md or .csv".
func (l List) Extensions() string { return l.enumerate(func(f Format) string { return f.Extension }) }

// Help lists the names with their descriptions: "jsonl (one line per turn), md (a document) or …".
func (l List) Help() string {
	return l.enumerate(func(f Format) string { return f.Name + " (" + f.Description + ")" })
}

func (l List) enumerate(word func(Format) string) string {
	var all strings.Builder
	for i, f := range l {
		switch {
		case i > 0 && i == len(l)-1:
			all.WriteString(" or ")
		case i > 0:
			all.WriteString(", ")
		}
		all.WriteString(word(f))
	}
	return all.String()
}
