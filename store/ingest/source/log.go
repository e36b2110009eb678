package source

import (
	"cmp"
	"errors"
	"fmt"

	"lens/store"
	"lens/store/ingest/chat"
)

// Log reads a JSON Lines file that is one conversation: a program appends to it what happens in a session.
type Log interface {
	// Record reads the next line, a JSON object. It must copy what it keeps.
	Record(raw []byte)

	// Draft returns the conversation after the last line, nil for none.
	Draft() *chat.Draft
}

// ReadsLog returns the Read of a parser of logs. Other lines are counted as dropped nodes; a file without a message is
// a *chat.Skip. A session that nothing names, as it came through a pipe, is known by its first words.
func ReadsLog(op string, start func(*File) Log) func(*File) Conversations {
	return func(f *File) Conversations {
		return func(yield func(*chat.Parsed, error) bool) {
			log := start(f)
			var dropped []chat.Node
			for raw, err := range chat.Lines(op, f) {
				var skip *chat.Skip
				switch {
				case errors.As(err, &skip):
					id := fmt.Sprintf("\x00line %d", skip.Index)
					dropped = append(dropped, chat.Node{ID: id, Dropped: skip.Reason})
				case err != nil:
					yield(nil, err)
					return
				default:
					log.Record(raw)
				}
			}
			d := log.Draft()
			switch {
			case d == nil || !hasMessage(d):
				yield(nil, &chat.Skip{Reason: "no messages", Nodes: len(dropped)})
				return
			case d.ID == "":
				d.ID = string(d.Source) + " " + chat.ContentID(firstWords(d)...)
			}
			d.Nodes = append(d.Nodes, dropped...)
			yield(chat.Build(d), nil)
		}
	}
}

// firstWords returns what the person and the assistant said first, or else the first text.
func firstWords(d *chat.Draft) []string {
	said := map[store.Role]string{}
	text := ""
	for i := range d.Nodes {
		m := d.Nodes[i].Message
		if m == nil || m.Text == "" {
			continue
		}
		text = cmp.Or(text, m.Text)
		if m.Visible && said[m.Role] == "" {
			said[m.Role] = m.Text
		}
	}
	if len(said) == 0 {
		return []string{text}
	}
	return []string{said[store.User], said[store.Assistant]}
}

func hasMessage(d *chat.Draft) bool {
	for i := range d.Nodes {
		if d.Nodes[i].Message != nil {
			return true
		}
	}
	return false
}
