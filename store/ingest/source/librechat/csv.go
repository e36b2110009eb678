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
	line, _, _ := bytes.Cut(s.Head, []byte("\n"))
	return isHeader(headerOf(strings.Split(string(line), ",")))
}

func isHeader(names []string) bool {
	return !slices.ContainsFunc(columns, func(name string) bool { return !slices.Contains(names, name) })
}

// headerOf returns the names of columns without what may stand around them.
func headerOf(fields []string) (names []string) {
	for _, f := range fields {
		names = append(names, strings.Trim(f, "\"\r \uFEFF"))
	}
	return names
}

func readCSV(f *source.File) source.Conversations {
	return func(yield func(*chat.Parsed, error) bool) {
		in := csv.NewReader(chat.Limit(f, chat.MaxConversation))
		in.FieldsPerRecord, in.LazyQuotes = -1, true
		header, err := in.Read()
		names := headerOf(header)
		if err != nil || !isHeader(names) {
			yield(nil, &errs.Error{
				Code: errs.Invalid, Op: "librechat: read", Message: "the first line names no columns that Lens knows",
				Hint: "export the conversation again, and import that file unchanged", Err: err,
			})
			return
		}
		t := newTable(names)
		failure := t.read(in)
		if p, skip := t.decode(f.Stem()); skip != nil {
			yield(nil, skip)
		} else if !yield(p, nil) {
			return
		}
		if failure != nil {
			yield(nil, failure)
		}
	}
}

// maxRows bounds the memory that a table of many short rows takes.
const maxRows = 100_000

// table collects the rows of a table as messages of the other layout.
type table struct {
	names    []string
	at       []int // the columns of names in a row, in the order of their names
	messages []byte
	rows     int
	id       string
}

func newTable(names []string) *table {
	t := &table{names: names}
	for i, name := range names {
		if !slices.Contains(names[i+1:], name) {
			t.at = append(t.at, i)
		}
	}
	slices.SortFunc(t.at, func(a, b int) int { return strings.Compare(names[a], names[b]) })
	return t
}

// read reads all rows up to a failure. One that cannot be read is null.
func (t *table) read(in *csv.Reader) error {
	in.ReuseRecord = true
	for {
		fields, err := in.Read()
		var damaged *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case t.rows == maxRows:
			return &errs.Error{
				Code: errs.TooLarge, Op: "librechat: read", Message: "the table has more than 100,000 rows",
				Hint: "check where the file came from; no chat grows that large",
			}
		case errors.As(err, &damaged), err == nil && len(fields) < len(t.names):
			t.add([]byte("null"))
		case err != nil:
			return chat.ReadFailed("librechat: read", err)
		default:
			t.add(t.message(fields))
		}
	}
}

func (t *table) add(message []byte) {
	if t.rows++; t.rows > 1 {
		t.messages = append(t.messages, ',')
	}
	t.messages = append(t.messages, message...)
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

func (t *table) decode(title string) (*chat.Parsed, *chat.Skip) {
	if t.rows == 0 {
		return nil, &chat.Skip{Reason: "no messages"}
	}
	id := ""
	if t.id != "" {
		id = "librechat csv " + t.id
	}
	head, _ := json.Marshal(map[string]string{"conversationId": id, "title": title}) // cannot fail
	raw := append(bytes.TrimSuffix(head, []byte("}")), `,"messages":[`...)
	raw = append(raw, t.messages...)
	t.messages = nil // as large as raw
	return decode(append(raw, "]}"...))
}
