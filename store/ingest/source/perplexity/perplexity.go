// Package perplexity parses threads of Perplexity, as browser extensions save them. It does no I/O of its own.
//
// There is no export of all threads as JSON. A file is one thread, in one of two layouts: what the server sends to the
// page, or a list of queries and answers. An entry is a query and its answer, and names no other.
package perplexity

import (
	"cmp"
	"io"
	"iter"
	"strings"
	"time"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Format is the layout of a saved thread.
var Format = source.Format{
	Source: store.Perplexity, Name: "Perplexity", Matches: matches, Read: source.Reads(Conversations),
	Get: "a thread that a browser extension saved as JSON",
}

func matches(s *source.Sample) bool {
	asked := func(entry source.Value) bool { return entry.Has("query_str") }
	answered := func(entry source.Value) bool { return entry.Has("query", "answer") }
	for _, v := range s.Values {
		thread := func(v source.Value) bool {
			return v.Get("entries").Any(asked) || v.Get("metadata").IsObject() && v.Get("conversations").Any(answered)
		}
		if thread(v) || v.IsArray() && v.Any(thread) {
			return true
		}
	}
	return false
}

// Conversations yields the threads of one JSON file. For one that cannot be read it yields a *chat.Skip with the reason
// and continues; any other error is a *errs.Error and the last value.
func Conversations(r io.Reader) iter.Seq2[*chat.Parsed, error] {
	return func(yield func(*chat.Parsed, error) bool) {
		index := -1
		isThread := func(raw []byte) bool {
			_, skip := decode(raw)
			return skip == nil
		}
		for raw, err := range chat.Elements("perplexity: read", r, isThread) {
			if err != nil {
				yield(nil, err)
				return
			}
			index++
			p, skip := decode(raw)
			if skip != nil {
				skip.Index = index
				if !yield(nil, skip) {
					return
				}
			} else if !yield(p, nil) {
				return
			}
		}
	}
}

// reader reads one thread and collects its draft.
type reader struct {
	*chat.Cursor
	draft chat.Draft
	ids   chat.ContentIDs // of entries without one
	title string          // of the thread by an entry
}

func decode(raw []byte) (*chat.Parsed, *chat.Skip) {
	r := &reader{Cursor: chat.NewCursor(raw), draft: chat.Draft{Source: store.Perplexity}}
	r.Object(func(name []byte) {
		switch string(name) {
		case "metadata", "thread_metadata":
			r.Object(r.field)
		case "entries", "conversations":
			r.Array(r.entry)
		}
	})
	d := &r.draft
	d.Title = cmp.Or(d.Title, r.title)
	first := d.First()
	if first == nil {
		return nil, &chat.Skip{Reason: "no messages", Nodes: len(d.Nodes)}
	}
	if d.ID == "" {
		d.ID = "perplexity " + first.ID
	}
	d.LinkInOrder()
	d.Current = d.Nodes[len(d.Nodes)-1].ID
	d.DateByMessages()
	return chat.Build(d), nil
}

func (r *reader) field(name []byte) {
	switch string(name) {
	case "title", "thread_title":
		r.draft.Title = r.Text(&r.draft.Count)
	case "thread_id", "context_uuid":
		r.draft.ID = r.String()
	case "created_at":
		r.draft.Created = r.Time()
	case "updated_at":
		r.draft.Updated = r.Time()
	}
}

// entry reads a query and its answer, in the names of both layouts.
func (r *reader) entry() {
	if !r.Is('{') {
		r.draft.Drop("unreadable message")
		return
	}
	var id, query, answer, fromBlocks, model string
	var asked, answered time.Time
	raw := r.Raw(&r.draft.Count, func() {
		r.Object(func(name []byte) {
			switch string(name) {
			case "uuid":
				id = r.String()
			case "context_uuid":
				r.draft.ID = cmp.Or(r.draft.ID, r.String())
			case "thread_title":
				r.title = cmp.Or(r.title, r.String())
			case "query_str", "query":
				query = r.String()
			case "answer":
				answer = r.String()
			case "blocks":
				r.Array(func() { fromBlocks = cmp.Or(fromBlocks, r.block()) })
			case "display_model", "model":
				model = r.String()
			case "entry_created_datetime", "timestamp":
				asked = r.Time()
			case "entry_updated_datetime":
				answered = r.Time()
			}
		})
	})
	question := &chat.Message{
		Role: store.User, ContentType: "text", Text: query, Time: asked, Visible: true, Raw: raw,
	}
	reply := &chat.Message{
		Role: store.Assistant, ContentType: "text", Text: cmp.Or(fromBlocks, answer), Model: model, Visible: true,
		Time: answered, Raw: []byte("{}"), // the question has the JSON of both
	}
	if reply.Time.IsZero() {
		reply.Time = asked
	}
	id = cmp.Or(id, r.ids.Of(question))
	r.draft.Nodes = append(r.draft.Nodes, chat.Node{ID: id, Message: question},
		chat.Node{ID: "answer " + id, Message: reply})
}

// block returns the answer in a block, "" for a block of another kind.
func (r *reader) block() string {
	var answer string
	var chunks []string
	r.Object(func(name []byte) {
		if string(name) == "markdown_block" {
			r.Object(func(name []byte) {
				switch string(name) {
				case "answer":
					answer = r.String()
				case "chunks":
					chunks = r.Strings()
				}
			})
		}
	})
	return cmp.Or(answer, strings.Join(chunks, ""))
}
