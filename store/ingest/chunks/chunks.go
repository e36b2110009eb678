// Package chunks parses chunk JSONL: text that another program has cut into chunks, one record per line,
//
//	{"id":"42","text":"…","meta":{…},"modified":"2026-05-02T08:00:00Z","vector":[…],"title":"…"}
//
// of which only id and text are required; modified may also be a member of meta. It does no I/O of its own.
//
// The rules are:
//
//   - A record is a conversation of one turn, identified by its id, its entity and the name of its file. Of two records
//     with the same identity, the one modified later stays.
//   - meta is kept byte for byte, except what no database can store. All other members are kept as raw.
//   - A line that is not a record is skipped; it does not stop the reading of the others.
package chunks

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"iter"
	"path"

	"github.com/go-json-experiment/json/jsontext"

	"lens/internal/errs"
	"lens/store"
	"lens/store/ingest/chat"
)

// maxLine bounds a record, in bytes: text, metadata and vector.
const maxLine = 32 << 20

// Reader reads the records of a file. The zero value is usable.
type Reader struct {
	Path string // of the file, with slashes
	Tag  string // client_tag of all records
	Dim  int    // the required dimension of vectors; 0: that of the first vector
}

// Records yields the records in r in order, and a *chat.Skip for every line that is not a record. Any other error means
// that r cannot be read further; it is the last value.
func (o *Reader) Records(ctx context.Context, r io.Reader) iter.Seq2[*chat.Parsed, error] {
	return func(yield func(*chat.Parsed, error) bool) {
		lines := bufio.NewReaderSize(r, 256<<10)
		if mark, _ := lines.Peek(3); string(mark) == "\xEF\xBB\xBF" {
			_, _ = lines.Discard(3)
		}
		for n := 0; ; {
			line, err := readLine(lines)
			if ctx.Err() != nil {
				err = ctx.Err()
			}
			ended := errors.Is(err, io.EOF)
			if err != nil && !ended && !errors.Is(err, errTooLong) {
				yield(nil, unreadable(err))
				return
			}
			if line = bytes.TrimSpace(line); len(line) > 0 || errors.Is(err, errTooLong) {
				parsed, skip := o.record(line, err)
				if skip != nil {
					skip.Index = n
					if !yield(nil, skip) {
						return
					}
				} else if !yield(parsed, nil) {
					return
				}
				n++
			}
			if ended {
				return
			}
		}
	}
}

// Detect reports whether a file that begins with head is chunk JSONL: its first line is an object that has a text and
// is not a conversation.
func Detect(head []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF"))), []byte("\n"))
	text, other := false, false
	isObject := chat.NewCursor(line).Object(func(name []byte) {
		switch string(name) {
		case "text":
			text = true
		case "mapping", "chat_messages":
			other = true
		}
	})
	return isObject && text && !other
}

func unreadable(err error) error {
	var known *errs.Error
	if errors.As(err, &known) {
		return err
	}
	return &errs.Error{
		Code:    errs.Unavailable,
		Op:      "chunks: read",
		Message: "reading failed",
		Hint:    "check that the disk is connected and that you can read the file, then import it again",
		Err:     err,
	}
}

var errTooLong = errors.New("line too long")

// readLine returns the next line, which the caller may keep, with io.EOF for the last one. For a line longer than
// maxLine it returns errTooLong and no bytes.
func readLine(r *bufio.Reader) (line []byte, err error) {
	tooLong := false
	for {
		part, err := r.ReadSlice('\n')
		if !tooLong {
			line = append(line, part...)
		}
		if tooLong = tooLong || len(line) > maxLine; tooLong {
			line = nil
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil:
			return line, err
		case tooLong:
			return nil, errTooLong
		default:
			return line, nil
		}
	}
}

// record reads one line.
func (o *Reader) record(line []byte, err error) (*chat.Parsed, *chat.Skip) {
	lenient := []jsontext.Options{jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)}
	switch {
	case errors.Is(err, errTooLong):
		return nil, &chat.Skip{Reason: "record over 32 MiB"}
	case !jsontext.Value(line).IsValid(lenient...):
		return nil, &chat.Skip{Reason: "line that is not JSON"}
	case line[0] != '{':
		return nil, &chat.Skip{Reason: "line that is no object"} // fixed: a key of the receipt
	}
	clean, scrubbed := chat.ScrubJSON(line)
	f := fieldsOf(clean)
	switch {
	case f.id == "":
		return nil, &chat.Skip{Reason: "record without id"}
	case len(bytes.TrimSpace([]byte(f.text))) == 0:
		return nil, &chat.Skip{Reason: "record without text"}
	case f.damagedMeta:
		return nil, &chat.Skip{Reason: "record whose meta is no object"} // fixed: a key of the receipt
	}
	document := o.document(f, line)
	if scrubbed {
		document.Count.Scrubbed++
	}
	vector, refused := o.vector(f)
	if f.hasVector {
		document.Count.Vectors++
	}
	if refused != "" {
		document.Count.RefusedVectors = map[string]int{refused: 1}
	}
	parsed := chat.BuildDocument(document)
	parsed.Vector = vector
	return parsed, nil
}

func (o *Reader) document(f fields, line []byte) *chat.Document {
	sum := sha256.Sum256(line)
	name := path.Base(o.Path)
	at := f.sourcePath
	if at == "" || store.IsDerivedPath(at) {
		at = o.Path
	}
	return &chat.Document{
		Source:   store.Chunks,
		ID:       name + "\x00" + f.entity + "\x00" + f.id,
		SourceID: f.id,
		Title:    f.shownTitle(),
		Time:     f.time(),
		Document: store.Document{
			Path:      at,
			Filename:  path.Base(at),
			ClientTag: o.Tag,
			Modified:  f.time(),
			MIME:      "application/x-ndjson",
			Content:   store.Hash(sum[:16]),
		},
		Pieces: []chat.Piece{{Text: f.text, Raw: f.raw(), Chunk: store.Chunk{ID: f.id, Meta: f.meta}}},
	}
}

// vector returns the record's vector, scaled to unit length. It returns nil, and the reason, for one that cannot be
// used.
func (o *Reader) vector(f fields) (unit []float32, refused string) {
	switch {
	case !f.hasVector:
		return nil, ""
	case f.vector == nil:
		return nil, "vector that is no list of numbers" // fixed: a key of the receipt
	case o.Dim != 0 && len(f.vector) != o.Dim:
		return nil, "vector of other dimensions"
	}
	unit, err := store.Unit(f.vector)
	if err != nil {
		return nil, "vector that is zero or not finite"
	}
	o.Dim = len(unit)
	return unit, ""
}
