// Package cline parses the tasks of the coding agent Cline, and those of Roo Code and Kilo Code, which are made of it.
// It does no I/O of its own.
//
// A task is a folder with what the person saw (ui_messages.json) and what the model got
// (api_conversation_history.json). The first has times and no context that the program added. The second is read where
// it is alone.
package cline

import (
	"cmp"
	"io"
	"iter"
	"strings"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Task is the layout of tasks/TASK/ui_messages.json in the folder of the extension.
var Task = source.Format{
	Tools: true, Derive: chat.DeriveTools,
	Source: store.Cline, Name: "Cline", Matches: isTask, Read: source.Reads(Conversation),
	Get: "the tasks on this machine, also of Roo and Kilo Code",
	Kept: []source.Place{
		{Base: source.Config, Folder: "Code/User/globalStorage/saoudrizwan.claude-dev", Files: tasks},
		{Base: source.Config, Folder: "Code/User/globalStorage/rooveterinaryinc.roo-cline", Files: tasks},
		{Base: source.Config, Folder: "Code/User/globalStorage/kilocode.kilo-code", Files: tasks},
	},
}

// tasks are the names of the files with the messages of tasks.
var tasks = []string{"tasks/*/ui_messages.json"}

func isTask(s *source.Sample) bool {
	return len(s.Values) == 1 && s.Values[0].IsArray() && s.Values[0].Any(func(m source.Value) bool {
		kind := m.Get("type").Text()
		return m.Get("ts").IsNumber() && (kind == "say" || kind == "ask") && m.Get(kind).IsString()
	})
}

// Conversation yields the task in the JSON of ui_messages.json, or a *chat.Skip with the reason why there is none. Any
// other error is a *errs.Error and the last value.
func Conversation(r io.Reader) iter.Seq2[*chat.Parsed, error] {
	return read(r, new(task))
}

// messages collects those of a task.
type messages interface {
	message(raw []byte)
	draft() *chat.Draft
}

func read(r io.Reader, m messages) iter.Seq2[*chat.Parsed, error] {
	return func(yield func(*chat.Parsed, error) bool) {
		var failure error
		for raw, err := range chat.Elements("cline: read", r, isMessage) {
			if failure = err; err == nil {
				m.message(raw)
			}
		}
		d := m.draft()
		var more bool
		if d.ID == "" {
			more = failure != nil || yield(nil, &chat.Skip{Reason: "no messages", Nodes: len(d.Nodes)})
		} else {
			d.DateByMessages()
			more = yield(chat.Build(d), nil)
		}
		if more && failure != nil {
			yield(nil, failure)
		}
	}
}

// isMessage reports whether JSON is a message of either file.
func isMessage(raw []byte) bool {
	named := map[string]bool{}
	c := chat.NewCursor(raw)
	c.Object(func(name []byte) { named[string(name)] = true })
	return named["ts"] && named["type"] || named["role"] && named["content"]
}

// task is a task, as far as its messages have come. Its id is made of its first words and their time: the name of its
// folder is not always known.
type task struct{ source.Session }

func (t *task) draft() *chat.Draft {
	t.Source = store.Cline
	return &t.Draft
}

func (t *task) message(raw []byte) {
	var kind, say, ask, text, at string
	partial := false
	c := chat.NewCursor(raw)
	isObject := c.Object(func(name []byte) {
		switch string(name) {
		case "ts":
			at = c.String()
		case "type":
			kind = c.String()
		case "say":
			say = c.String()
		case "ask":
			ask = c.String()
		case "text":
			text = c.String()
		case "partial":
			partial = c.Bool()
		}
	})
	var m *chat.Message
	switch words := strings.TrimSpace(text); {
	case !isObject:
		t.Drop("unreadable message")
		return
	case partial: // it is there once more when it is whole
		t.Drop("unfinished message")
		return
	case t.ID == "" && kind == "say" && words != "":
		t.ID = "cline " + chat.ContentID(at, text)
		m = t.Count.Speech(store.User, text, raw)
	case words != "" && (say == "user_feedback" || say == "task"):
		m = t.Count.Speech(store.User, text, raw)
	case words != "" && (say == "text" || say == "completion_result"):
		m = t.Count.Speech(store.Assistant, text, raw)
	case words != "" && (ask == "followup" || ask == "plan_mode_respond" || ask == "completion_result"):
		m = t.Count.Speech(store.Assistant, question(text), raw)
	case say == "command_output" || say == "mcp_server_response" || say == "browser_action_result":
		m = t.Count.Aside(store.Tool, say, text, raw)
	case say == "reasoning" || ask == "tool" || say == "tool" || ask == "command":
		m = t.Count.Aside(store.Assistant, cmp.Or(say, ask), text, raw)
	default: // requests, checkpoints, costs
		m = t.Count.Aside(store.System, cmp.Or(say, ask, kind), "", raw)
	}
	m.Time = chat.Time(at)
	t.Add("", m)
}

// question returns what the assistant asks: JSON with the question and its options, or plain text.
func question(text string) string {
	c, isJSON := chat.JSONIn(text)
	if !isJSON {
		return text
	}
	asked := ""
	c.Object(func(name []byte) {
		switch string(name) {
		case "question", "response":
			asked = c.String()
		}
	})
	return cmp.Or(asked, text)
}
