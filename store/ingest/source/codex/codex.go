// Package codex parses the logs of sessions with Codex. It does no I/O of its own.
//
// Four generations of the program have written them: bare messages without times; each message twice, as an event and
// in the form that goes to the model; the events as completed items; and mixtures. None of the streams has everything,
// so all of them are read, and a message counts once.
package codex

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/google/uuid"

	"lens/internal/lazyregexp"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// stream is where a message comes from.
type stream uint8

const (
	toModel stream = 1 << iota // response_item, and the bare messages of the first generation
	event
	item
)

// log is a session, as far as its lines have come.
type log struct {
	source.Session
	of    *source.File
	file  string // the session's id in the name of the file
	model string
	turn  string         // id of the person's turn, where the program gives it one that no other session has
	seen  map[string]int // messages of a turn that say the same

	subagent bool   // what the log says is between the assistant and this subagent of it
	parent   string // id of the session that started it

	prompts []prompt // of the active path
	run     []*said  // what one side has said since the other did
	first   string   // the first prompt
	aborted bool     // an answer was stopped since the last prompt
	lines   int
}

// prompt is a message of the person on the active path.
type prompt struct{ node, before string }

// said is a message, with the streams that have it.
type said struct {
	message *chat.Message
	words   string
	streams stream
}

// fileID matches the session's id at the end of the name of a file.
var fileID = lazyregexp.New(`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

func start(f *source.File) source.Log {
	l := &log{Session: source.Session{Draft: chat.Draft{Source: store.Codex}}, of: f}
	if ids := fileID().FindAllString(path.Base(f.Name), -1); len(ids) > 0 {
		l.file = ids[len(ids)-1]
	}
	return l
}

// Record reads a line.
func (l *log) Record(raw []byte) {
	r := read(raw)
	l.lines++
	if l.Created.IsZero() {
		l.Created = r.payload.at
	}
	l.Seen(r.at)
	p := &r.payload
	if uuid.Validate(p.turn) == nil {
		l.turn = p.turn
	}
	switch r.kind {
	case "session_meta":
		if l.ID == "" {
			l.subagent, l.parent = p.subagent, p.parent
		}
		l.name(p.id)
	case "turn_context":
		l.model = cmp.Or(p.model, l.model)
	case "response_item":
		l.response(r)
	case "event_msg":
		l.event(r)
	case "compacted", "world_state":
	case "":
		l.bare(r)
	default:
		l.Drop("record of unknown type")
	}
}

// name takes up the session's id. A copy of a session begins with its own, and repeats that of the original.
func (l *log) name(id string) { l.ID = cmp.Or(l.ID, id) }

// bare reads a line of the first generation. The first one names the session, and its time holds for all.
func (l *log) bare(r *record) {
	switch {
	case r.payload.state:
	case r.payload.kind == "":
		l.name(r.payload.id)
	default:
		l.response(r)
	}
}

// response reads a message to the model, or from it.
func (l *log) response(r *record) {
	p := &r.payload
	count := &l.Count
	switch p.kind {
	case "message":
		l.message(r, p)
	case "reasoning":
		l.aside(r, count.Aside(store.Assistant, "reasoning", chat.Paragraphs(append(p.thoughts, p.blocks...)), r.raw))
	case "function_call_output", "custom_tool_call_output":
		l.aside(r, count.Aside(store.Tool, p.kind, p.output, r.raw))
	case "ghost_snapshot", "compaction":
	default: // calls, searches, pictures and what later versions add
		l.aside(r, count.Aside(store.Assistant, p.kind, p.call, r.raw))
	}
}

func (l *log) message(r *record, p *payload) {
	text := chat.Paragraphs(p.blocks)
	if p.role == "assistant" {
		l.say(r, toModel, store.Assistant, text, "")
		return
	}
	words := ownWords(p.blocks)
	if p.role != "user" || words == "" {
		l.aborted = l.aborted || p.role == "user" && isAborted(p.blocks)
		l.aside(r, l.Count.Aside(store.System, "context", text, r.raw))
		return
	}
	if l.aborted && sameWords(words) == l.first {
		// The program may send the first prompt again. If the person did, there is an event as well.
		l.aborted = false
		l.aside(r, l.Count.Aside(store.System, "context", text, r.raw))
		return
	}
	l.say(r, toModel, store.User, words, "")
}

// event reads what the program shows to the person.
func (l *log) event(r *record) {
	p := &r.payload
	switch p.kind {
	case "user_message":
		if words := source.OwnWords(p.text, injected); words != "" {
			l.say(r, event, store.User, words, "")
		}
	case "agent_message":
		l.say(r, event, store.Assistant, p.text, "")
	case "thread_rolled_back":
		l.takeBack(p.turns)
	case "item_completed":
		if p.item != nil {
			l.item(r, p.item)
		}
	}
}

func (l *log) item(r *record, i *payload) {
	switch i.kind {
	case "UserMessage":
		if words := ownWords(i.blocks); words != "" {
			l.say(r, item, store.User, words, i.id)
		}
	case "AgentMessage":
		l.say(r, item, store.Assistant, chat.Paragraphs(i.blocks), i.id)
	}
}

// say adds a message in words, unless another stream had it already: since then, the other side has said nothing new.
func (l *log) say(r *record, from stream, role store.Role, text, id string) {
	words := sameWords(text)
	if words == "" {
		return
	}
	if len(l.run) > 0 && l.run[0].message.Role == role {
		for _, s := range l.run {
			if s.streams&from == 0 && s.words == words {
				s.streams |= from
				return
			}
		}
	} else {
		l.run = l.run[:0]
	}
	m := l.Count.Speech(role, text, r.raw)
	if l.subagent {
		m.Visible, m.ContentType = false, "sidechain"
	}
	before := l.Current
	if role == store.Assistant {
		m.Model = l.model
	}
	l.add(r, m, id)
	l.run = append(l.run, &said{m, words, from})
	if role == store.User {
		l.prompts = append(l.prompts, prompt{l.Current, before})
		l.first, l.aborted = cmp.Or(l.first, words), false
	}
}

// takeBack takes the last prompts of the person, with all that followed, off the active path.
func (l *log) takeBack(n int) {
	if n = min(n, len(l.prompts)); n == 0 {
		return
	}
	l.Current = l.prompts[len(l.prompts)-n].before
	l.prompts = slices.Delete(l.prompts, len(l.prompts)-n, len(l.prompts))
	l.run = l.run[:0]
}

func (l *log) aside(r *record, m *chat.Message) { l.add(r, m, "") }

// add adds a message. In the first generation the time of the session is that of all messages.
//
// A session that continues another begins with a copy of it, with other times. The id of a message depends on its turn,
// if the program gives that one, so it is the same in the copy.
func (l *log) add(r *record, m *chat.Message, id string) {
	if m.Time = r.at; r.kind == "" && m.Time.IsZero() {
		m.Time = l.Created
	}
	if l.turn != "" {
		id = l.inTurn(m)
	}
	l.Add(id, m)
}

func (l *log) inTurn(m *chat.Message) string {
	if l.seen == nil {
		l.seen = make(map[string]int)
	}
	id := chat.ContentID(l.turn, string(m.Role), m.ContentType, m.Text)
	l.seen[id]++
	return uuid.NewSHA1(chat.Namespace, fmt.Appendf(nil, "codex %s %d", id, l.seen[id])).String()
}

// Draft returns the session. The first generation has no times after the first one; a session that has grown must be
// newer all the same.
func (l *log) Draft() *chat.Draft {
	d := &l.Session.Draft
	d.ID = cmp.Or(d.ID, l.file)
	if !d.Updated.After(d.Created) && !d.Created.IsZero() {
		d.Updated = d.Created.Add(time.Duration(l.lines) * time.Microsecond)
	}
	if name, since := title(l.of.Folder, l.of.Name, d.ID); name != "" {
		d.Title = name
		l.Seen(since) // a new title makes a newer version
	}
	if l.subagent && l.parent != "" {
		d.ID = l.parent + "/" + d.ID
	}
	return d
}
