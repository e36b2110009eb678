package librechat

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"lens/internal/errs"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// CSV is the layout of a conversation that is exported as a table. The table has neither an id of the conversation nor
// a title: its first message identifies it, and the file has the title as its name.
var CSV = source.Format{
	Source: store.LibreChat, Name: "LibreChat", Matches: matchesCSV, Read: readCSV, Derive: derive,
}

// columns are those without which a table is not of LibreChat.
var columns = []string{"sender", "text", "isCreatedByUser", "messageId", "parentMessageId"}

func matchesCSV(s *source.Sample) bool {
	_, err := newTable(bytes.NewReader(s.Head))
	return err == nil
}

func readCSV(f *source.File) source.Conversations {
	return func(yield func(*chat.Parsed, error) bool) {
		t, err := newTable(chat.Limit(f, chat.MaxConversation))
		if err != nil {
			yield(nil, err)
			return
		}
		failure := t.read()
		p, skip := t.conversation(f.Stem())
		var skipped error
		if skip != nil {
			skipped = skip
		}
		if yield(p, skipped) && failure != nil {
			yield(nil, failure)
		}
	}
}

// table reads the rows of a table as messages of the other layout.
type table struct {
	*reader
	in    *csv.Reader
	names []string
	at    []int // the columns of names in a row, in the order of their names
	id    string
}

// newTable reads the names of the columns.
func newTable(r io.Reader) (*table, error) {
	t := &table{reader: newReader(), in: csv.NewReader(r)}
	t.in.FieldsPerRecord, t.in.LazyQuotes, t.in.ReuseRecord = -1, true, true
	header, err := t.in.Read()
	for _, name := range header {
		t.names = append(t.names, strings.Trim(name, "\"\r \uFEFF"))
	}
	missing := func(name string) bool { return !slices.Contains(t.names, name) }
	if err != nil || slices.ContainsFunc(columns, missing) {
		return nil, &errs.Error{
			Code: errs.Invalid, Op: "librechat: read", Message: "the first line names no columns that Lens knows",
			Hint: "export the conversation again, and import that file unchanged", Err: err,
		}
	}
	for i, name := range t.names {
		if !slices.Contains(t.names[i+1:], name) {
			t.at = append(t.at, i)
		}
	}
	slices.SortFunc(t.at, func(a, b int) int { return strings.Compare(t.names[a], t.names[b]) })
	return t, nil
}

// read reads all rows up to a failure.
func (t *table) read() error {
	for {
		fields, err := t.in.Read()
		var damaged *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.As(err, &damaged):
			return chat.ReadFailed("librechat: read", err)
		case t.isFull():
			t.beyond++
		case err != nil, len(fields) < len(t.names):
			t.draft.Drop("unreadable message")
		default:
			t.Cursor = chat.NewCursor(t.message(fields))
			t.node()
		}
	}
}

// message returns the JSON of a row.
func (t *table) message(fields []string) []byte {
	message := []byte{'{'}
	for _, i := range t.at {
		name, value := t.names[i], fields[i]
		if name == "messageId" {
			t.id = cmp.Or(t.id, value)
		}
		quoted := []byte(value)
		if name == "text" || value != "true" && value != "false" { // a text may say true, too
			quoted, _ = json.Marshal(value) // cannot fail
		}
		message = appendMember(message, []byte(name), quoted)
	}
	return append(message, '}')
}

// conversation returns that of the rows.
func (t *table) conversation(title string) (*chat.Parsed, *chat.Skip) {
	if len(t.draft.Nodes) == 0 {
		return nil, &chat.Skip{Reason: "no messages"}
	}
	if t.id != "" {
		t.draft.ID = "librechat csv " + t.id
	}
	t.draft.Title = title
	return t.build()
}
