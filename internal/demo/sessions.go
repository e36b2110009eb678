package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"time"
)

// Session is the log of a session with Claude Code.
type Session struct {
	Name    string // of the file, below ~/.claude
	Log     []byte // JSON Lines
	Prompts int    // messages in the person's own words, on all branches
}

// Sessions yields sessions with Claude Code until they have size bytes, the same for the same seed. As in real ones,
// few of the bytes are words: results of tools, thoughts and the program's own records take the rest.
func Sessions(seed uint64, size int64) (iter.Seq[*Session], error) {
	topics, err := loadTopics()
	return func(yield func(*Session) bool) {
		for i := uint64(1); size > 0; i++ {
			s := newSessionWriter(topics, newRNG(seed, i)).write()
			size -= int64(len(s.Log))
			if !yield(s) {
				return
			}
		}
	}, err
}

// sessionWriter writes one session, record by record.
type sessionWriter struct {
	renderer
	session Session
	log     bytes.Buffer
	id      string
	now     time.Time
	last    string // id of the record that the next one follows
	answers int
}

func newSessionWriter(topics []*topic, r *rng) *sessionWriter {
	w := &sessionWriter{renderer: renderer{r, pick(r, topics), map[string]string{}}, id: r.id()}
	w.now = time.Date(2026, time.January, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(r.upTo(300*24*3600)) * time.Second)
	w.session.Name = "projects/-home-ada-" + strings.ToLower(w.topic.name) + "/" + w.id + ".jsonl"
	w.session.Name = strings.ReplaceAll(w.session.Name, " ", "-")
	return w
}

func (w *sessionWriter) write() *Session {
	w.record(fields{"type": "file-history-snapshot", "snapshot": fields{}})
	for range w.between(3, 30) {
		w.turn()
	}
	w.record(fields{"type": "ai-title", "aiTitle": w.title(pick(w.rng, w.exchanges()))})
	w.session.Log = w.log.Bytes()
	return &w.session
}

// exchanges returns the exchanges of the topic as pointers.
func (w *sessionWriter) exchanges() (all []*exchange) {
	for i := range w.topic.exchanges {
		all = append(all, &w.topic.exchanges[i])
	}
	return all
}

// turn writes a prompt, calls of tools, and the answer.
func (w *sessionWriter) turn() {
	e := pick(w.rng, w.exchanges())
	variant := w.upTo(len(e.questions))
	text, _ := w.question(e, variant, true)
	before := w.last
	w.prompt(text)
	if w.chance(4) && before != "" { // the person goes back and says it in other words
		w.last = before
		w.prompt(text + " (again)")
	}
	for range w.upTo(8) {
		w.tool()
	}
	w.assistant(fields{"type": "text", "text": w.answer(e, variant)})
	if w.chance(3) {
		w.compact()
	}
}

func (w *sessionWriter) prompt(text string) {
	w.session.Prompts++
	if w.chance(20) {
		text = "<system-reminder>\nThe file notes.md was changed.\n</system-reminder>\n" + text
	}
	w.message("user", fields{"role": "user", "content": text}, nil)
}

// tool writes a thought, a call and its result, which is mostly short.
func (w *sessionWriter) tool() {
	w.answers++
	signature := strings.Repeat("c2ln", w.between(20, 200))
	w.assistant(fields{"type": "thinking", "thinking": w.lines(1, 12), "signature": signature})
	call := fmt.Sprintf("toolu_%d", w.answers)
	w.assistant(fields{"type": "tool_use", "id": call, "name": "Read", "input": fields{"file_path": "/home/ada/notes.md"}})
	most := 30
	if w.chance(15) {
		most = 800
	}
	result := w.lines(1, most)
	w.message("user", fields{"role": "user", "content": []any{
		fields{"type": "tool_result", "tool_use_id": call, "content": result},
	}}, fields{"toolUseResult": fields{"type": "text", "file": fields{"content": result}}})
}

// lines returns numbered lines as a tool prints them.
func (w *sessionWriter) lines(least, most int) string {
	var out strings.Builder
	for i := range w.between(least, most) {
		name, of := pick(w.rng, identifiers), pick(w.rng, identifiers)
		fmt.Fprintf(&out, "%6d\t%s = measure(%q, %d)\n", i+1, name, of, w.upTo(1_000_000))
	}
	return out.String()
}

// identifiers are names in the code that tools print.
var identifiers = []string{
	"width", "oven", "flour", "minutes", "route", "budget", "speed", "page", "draft", "seed", "total", "key",
}

func (w *sessionWriter) assistant(block fields) {
	w.message("assistant", fields{
		"id": fmt.Sprintf("msg_%s_%d", w.id[:8], w.answers), "model": "claude-opus-4-5", "role": "assistant",
		"content": []any{block}, "usage": fields{"input_tokens": w.upTo(100_000), "output_tokens": w.upTo(2000)},
	}, nil)
}

// compact writes what the program does when its context is full: a new root, and a summary in the person's name.
func (w *sessionWriter) compact() {
	id := w.rng.id()
	w.record(fields{
		"type": "system", "subtype": "compact_boundary", "uuid": id, "parentUuid": nil, "logicalParentUuid": w.last,
		"content": "Conversation compacted",
	})
	w.last = id
	w.message("user", fields{"role": "user", "content": "This session is being continued from a previous conversation."},
		fields{"isCompactSummary": true})
}

// message writes a record with a message, after the last one.
func (w *sessionWriter) message(kind string, m, more fields) {
	r := fields{"type": kind, "uuid": w.rng.id(), "parentUuid": nil, "message": m, "isSidechain": false}
	if w.last != "" {
		r["parentUuid"] = w.last
	}
	for name, value := range more {
		r[name] = value
	}
	w.last = r["uuid"].(string)
	w.record(r)
}

func (w *sessionWriter) record(r fields) {
	w.now = w.now.Add(time.Duration(w.between(200, 20_000)) * time.Millisecond)
	r["sessionId"], r["timestamp"] = w.id, w.now.Format("2006-01-02T15:04:05.000Z")
	line, err := json.Marshal(r)
	if err != nil {
		panic(err) // maps of strings, numbers and maps
	}
	w.log.Write(append(line, '\n'))
}
