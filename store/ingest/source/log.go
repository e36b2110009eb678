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

	// Kept returns about how many bytes it keeps of the lines so far.
	Kept() int

	// Draft returns the conversation after the last line, nil for none.
	Draft() *chat.Draft
}

// ReadsLog returns the Read of a parser of logs. Other lines are counted as dropped nodes; a file without a message is
// a *chat.Skip. A session that nothing names, as it came through a pipe, is known by its first words. One that keeps
// more than chat.MaxConversation bytes ends there, with an error.
func ReadsLog(op string, start func(*File) Log) func(*File) Conversations {
	return readsLog(op, start, chat.MaxConversation)
}

func readsLog(op string, start func(*File) Log, limit int) func(*File) Conversations {
	return func(f *File) Conversations {
		return func(yield func(*chat.Parsed, error) bool) {
			log := start(f)
			var dropped chat.Draft
			var failure error
			for raw, err := range chat.Lines(op, f) {
				var skip *chat.Skip
				switch {
				case errors.As(err, &skip):
					id := fmt.Sprintf("\x00line %d", skip.Index)
					dropped.Nodes = append(dropped.Nodes, chat.Node{ID: id, Dropped: skip.Reason})
				case err != nil:
					failure = err // what came before is whole lines
				default:
					log.Record(raw)
				}
				if failure == nil && log.Kept()+dropped.Kept() > limit {
					failure = chat.TooLarge(op)
					break
				}
			}
			d := log.Draft()
			switch {
			case d == nil || !hasMessage(d):
				if failure != nil && len(dropped.Nodes) == 0 {
					yield(nil, failure)
				} else if yield(nil, &chat.Skip{Reason: "no messages", Nodes: len(dropped.Nodes)}) && failure != nil {
					yield(nil, failure)
				}
				return
			case d.ID == "":
				d.ID = string(d.Source) + " " + chat.ContentID(firstWords(d)...)
			}
			d.Nodes = append(d.Nodes, dropped.Nodes...)
			if yield(chat.Build(d), nil) && failure != nil {
				yield(nil, failure)
			}
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
