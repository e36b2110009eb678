// Package claudecode parses the logs of sessions with Claude Code. It does no I/O of its own.
//
// Turns have only the person's own words and the answers to them. What the program writes in the person's name (results
// of tools, reminders, summaries, notices) is kept as asides, and so is what the assistant and its subagents say to
// each other.
package claudecode

import (
	"cmp"
	"path"
	"strings"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// synthetic is the model of answers that the program made up: errors of the connection.
const synthetic = "<synthetic>"

// log is a session, as far as its lines have come.
type log struct {
	name    string // of the file, without extension
	session string // id that the first record names
	agent   string // id of the subagent that the first record of one names
	main    bool   // it has words that are not a subagent's
	draft   chat.Draft
	ids     chat.ContentIDs
	tree    tree

	custom, generated string    // titles
	summaries         []summary // of sessions; those of others are here, too
	firstPrompt       string    // of a subagent

	open    *chat.Message              // a command that nothing has followed
	answers map[string][]*chat.Message // prose by the id that the service gave an answer
}

type summary struct{ leaf, text string }

func start(f *source.File) source.Log {
	name := path.Base(f.Name)
	return &log{
		name:    strings.TrimSuffix(name, path.Ext(name)),
		draft:   chat.Draft{Source: store.ClaudeCode},
		tree:    newTree(),
		answers: make(map[string][]*chat.Message),
	}
}

// Record reads a line.
func (l *log) Record(raw []byte) {
	r := read(raw, &l.draft.Count)
	if l.session == "" {
		l.session = r.session
	}
	if !r.at.IsZero() {
		if l.draft.Created.IsZero() {
			l.draft.Created = r.at
		}
		if r.at.After(l.draft.Updated) {
			l.draft.Updated = r.at
		}
	}
	if r.kind == "user" || r.kind == "assistant" {
		l.agent, l.main = cmp.Or(l.agent, r.agent), l.main || !r.sidechain
	}
	switch r.kind {
	case "user":
		l.user(r)
	case "assistant":
		l.assistant(r)
	case "system":
		l.add(r, r.aside(&l.draft.Count), false)
	case "attachment":
		if words := r.ownWords(); r.queued && words != "" {
			l.prompt(r, words)
			return
		}
		l.add(r, r.aside(&l.draft.Count), false)
	case "summary":
		l.summaries = append(l.summaries, summary{r.leaf, r.summary})
	case "ai-title":
		l.generated = r.title
	case "custom-title":
		l.custom = r.title
	case "file-history-snapshot", "queue-operation", "progress", "agent-name", "last-prompt", "mode", "permission-mode",
		"pr-link", "result":
		l.tree.pass(r)
	default:
		l.tree.pass(r)
		l.drop(r, "record of unknown type")
	}
}

func (l *log) drop(r *record, reason string) {
	id := r.id
	if id == "" || l.tree.has(id) {
		id = l.ids.Of(&chat.Message{Role: "none", Time: r.at, Text: string(r.raw)})
	}
	l.draft.Nodes = append(l.draft.Nodes, chat.Node{ID: "\x00" + id, Dropped: reason})
}

// user reads a record in the person's name.
func (l *log) user(r *record) {
	if !r.hasMessage {
		l.tree.pass(r)
		l.drop(r, "no message")
		return
	}
	if words := r.ownWords(); words != "" {
		l.prompt(r, words)
		return
	}
	if r.sidechain && !r.content.result {
		l.hidden(r, store.User)
		return
	}
	if l.open != nil && !r.sidechain && isLocalOutput(r) {
		l.open.Visible, l.open = false, nil
	}
	l.add(r, r.aside(&l.draft.Count), false)
}

// isLocalOutput reports whether a record is what the program itself answered to a command.
func isLocalOutput(r *record) bool {
	for _, text := range r.content.texts {
		if text = strings.TrimSpace(text); strings.HasPrefix(text, "<local-command-std") {
			return true
		}
	}
	return false
}

// prompt adds the person's words. A command is a turn if it has arguments or gets an answer from the assistant.
func (l *log) prompt(r *record, words string) {
	c, isCommand := parseCommand(words)
	if isCommand {
		words = c.text
		if name, renames := strings.CutPrefix(words, "/rename "); renames {
			l.custom = name
		}
	}
	m := l.draft.Count.Speech(store.User, words, r.raw)
	l.open = nil
	if isCommand {
		m.Visible, m.ContentType, l.open = c.arguments, "command", m
	}
	l.add(r, m, m.Visible)
}

// assistant reads a record of an answer. One answer comes in several records, one for each block or each longer than
// the one before.
func (l *log) assistant(r *record) {
	text := chat.Paragraphs(r.content.texts)
	switch {
	case !r.hasMessage:
		l.tree.pass(r)
		l.drop(r, "no message")
		return
	case r.sidechain && text != "":
		l.hidden(r, store.Assistant)
		return
	case text == "" || r.sidechain || r.program || r.model == synthetic:
		l.add(r, r.aside(&l.draft.Count), false)
		return
	}
	m := l.draft.Count.Speech(store.Assistant, text, r.raw)
	m.Model = r.model
	for _, earlier := range l.answers[r.message] {
		switch {
		case strings.HasPrefix(text, earlier.Text):
			earlier.Visible = false
		case strings.HasPrefix(earlier.Text, text):
			m.Visible = false
		}
	}
	if r.message != "" {
		l.answers[r.message] = append(l.answers[r.message], m)
	}
	if l.open != nil {
		l.open.Visible, l.open = true, nil
	}
	l.add(r, m, false)
}

// hidden adds words between the assistant and a subagent.
func (l *log) hidden(r *record, role store.Role) {
	m := l.draft.Count.Speech(role, chat.Paragraphs(r.content.texts), r.raw)
	m.Visible, m.ContentType = false, "sidechain"
	if l.firstPrompt == "" {
		l.firstPrompt = m.Text
	}
	l.add(r, m, false)
}

// add adds a message to the tree. own: it has the person's words.
func (l *log) add(r *record, m *chat.Message, own bool) {
	m.Time = r.at
	switch {
	case r.id == "":
		r.id = l.ids.Of(m)
	case l.tree.has(r.id):
		l.drop(r, "repeated record")
		return
	}
	parent := l.tree.link(r, own)
	l.draft.Nodes = append(l.draft.Nodes, chat.Node{ID: r.id, Parent: parent, Message: m})
}

// id returns the id of the session: the name of its file. Records of a subagent name the session that started it.
func (l *log) id() string {
	switch {
	case uuid.Validate(l.name) == nil || l.session == "":
		return l.name
	case strings.HasPrefix(l.name, "agent-"):
		return l.session + "/" + l.name
	case l.main:
		return l.session
	case l.agent != "":
		return l.session + "/agent-" + l.agent
	case l.firstPrompt != "":
		return l.session + "/" + chat.ContentID(l.firstPrompt)
	}
	return l.session
}

// Kept returns about how many bytes the session takes.
func (l *log) Kept() int { return l.draft.Kept() }

// Draft returns the session.
func (l *log) Draft() *chat.Draft {
	d := &l.draft
	d.ID, d.Current = l.id(), l.tree.tip
	switch {
	case l.custom != "":
		d.Title = l.custom
	case l.generated != "":
		d.Title = l.generated
	default:
		for _, s := range l.summaries {
			if l.tree.has(s.leaf) {
				d.Title = s.text
			}
		}
		if d.Title == "" && d.Current == "" {
			d.Title, _, _ = strings.Cut(strings.TrimSpace(l.firstPrompt), "\n")
		}
	}
	return d
}
