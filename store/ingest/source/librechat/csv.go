package librechat

import (
	"bytes"
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
		messages, failure := rowsOf(in, names)
		if p, skip := decodeRows(f.Stem(), messages); skip != nil {
			yield(nil, skip)
		} else if !yield(p, nil) {
			return
		}
		if failure != nil {
			yield(nil, failure)
		}
	}
}

// rowsOf returns the rows as messages of the other layout, nil for one that cannot be read, up to a failure.
func rowsOf(in *csv.Reader, names []string) (messages []map[string]any, failure error) {
	for {
		fields, err := in.Read()
		var damaged *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return messages, nil
		case errors.As(err, &damaged), err == nil && len(fields) < len(names):
			messages = append(messages, nil)
			continue
		case err != nil:
			return messages, chat.ReadFailed("librechat: read", err)
		}
		m := map[string]any{}
		for i, name := range names {
			if m[name] = fields[i]; fields[i] == "true" || fields[i] == "false" {
				m[name] = fields[i] == "true"
			}
		}
		m["text"] = fields[slices.Index(names, "text")] // also one that says true
		messages = append(messages, m)
	}
}

func decodeRows(title string, messages []map[string]any) (*chat.Parsed, *chat.Skip) {
	id := ""
	for _, m := range messages {
		if first, ok := m["messageId"].(string); ok && id == "" && first != "" {
			id = "librechat csv " + first
		}
	}
	raw, err := json.Marshal(map[string]any{"conversationId": id, "title": title, "messages": messages})
	if err != nil || messages == nil {
		return nil, &chat.Skip{Reason: "no messages"}
	}
	return decode(raw)
}
