package chunks

import (
	"bytes"
	"math"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"lens/store/ingest/chat"
)

// fields are the fields of a record.
type fields struct {
	id, text, title string
	entity          string // meta's
	sourcePath      string // meta's
	name            string // meta's title or name
	metaModified    time.Time
	meta            []byte
	damagedMeta     bool
	modified        time.Time // the record's own
	hasVector       bool
	vector          []float32 // nil: not a list of numbers
	rest            [][]byte  // other members as written, name and value
}

// fieldsOf reads a record, which must be well-formed JSON.
func fieldsOf(line []byte) (f fields) {
	c := chat.NewCursor(line)
	c.Object(func(name []byte) {
		switch string(name) {
		case "id":
			f.id = c.String()
		case "text":
			f.text = c.String()
		case "title":
			f.title = c.String()
		case "modified":
			f.modified = c.Time()
		case "meta":
			f.readMeta(c)
		case "vector":
			if c.Is('n') {
				return
			}
			f.hasVector, f.vector = true, numbers(c)
		default:
			value := c.Span(c.Skip)
			quoted, _ := jsontext.AppendQuote(nil, name) // the line has been scrubbed to valid UTF-8
			f.rest = append(f.rest, append(append(quoted, ':'), value...))
		}
	})
	return f
}

func (f *fields) readMeta(c *chat.Cursor) {
	if c.Is('n') {
		return
	}
	if f.damagedMeta = !c.Is('{'); f.damagedMeta {
		return
	}
	f.meta = bytes.Clone(c.Span(func() {
		c.Object(func(name []byte) {
			switch string(name) {
			case "entity":
				f.entity = c.String()
			case "source_path":
				f.sourcePath = c.String()
			case "modified":
				f.metaModified = c.Time()
			case "title", "name":
				if title := c.String(); f.name == "" {
					f.name = title
				}
			}
		})
	}))
}

// time returns when the record was modified: its own time, else that of its metadata.
func (f *fields) time() time.Time {
	if f.modified.IsZero() {
		return f.metaModified
	}
	return f.modified
}

// shownTitle returns the record's title, else its name, else its entity and id.
func (f *fields) shownTitle() string {
	for _, title := range []string{f.title, f.name} {
		if title != "" {
			return title
		}
	}
	if f.entity != "" {
		return f.entity + " " + f.id
	}
	return f.id
}

// raw returns the record's other members as an object; nil for none.
func (f *fields) raw() []byte {
	if len(f.rest) == 0 {
		return nil
	}
	return append(append([]byte{'{'}, bytes.Join(f.rest, []byte{','})...), '}')
}

// numbers returns the elements of a list of numbers, nil for anything else. Numbers too large for a float32 become
// infinite.
func numbers(c *chat.Cursor) []float32 {
	all := []float32{}
	isList := c.Array(func() {
		if !c.Is('0') {
			all = nil
			return
		}
		x, err := strconv.ParseFloat(c.String(), 32)
		if err != nil {
			x = math.Inf(1)
		}
		if all != nil {
			all = append(all, float32(x))
		}
	})
	if !isList || len(all) == 0 {
		return nil
	}
	return all
}
