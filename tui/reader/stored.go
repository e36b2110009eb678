package reader

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"

	"lens/internal/cleantext"
	"lens/tui/async"
	"lens/tui/turn"
	"lens/tui/ui"
)

// stored is the stored data of a turn that cannot be read.
type stored struct {
	turn   uuid.UUID // uuid.Nil: none is shown
	text   string
	width  int // that the page has it laid out for
	asking async.Latest[uuid.UUID]
}

// storedMsg delivers the stored data of a turn.
type storedMsg struct {
	number int
	text   string
	err    error
}

// hide removes the data.
func (s *stored) hide() { s.turn, s.text, s.width = uuid.Nil, "", 0 }

// request asks for the data of a turn. The conversation may be uuid.Nil.
func (s *stored) request(c *ui.Context, storage Storage, conversation, turn uuid.UUID) tea.Cmd {
	s.asking.Forget()
	ctx, number, _ := s.asking.Ask(c.Ctx, turn, c.Now())
	return c.Tasks.Command(func() tea.Msg {
		text, err := storage.Stored(ctx, conversation, turn)
		if ctx.Err() != nil {
			return nil
		}
		return storedMsg{number, text, err}
	})
}

// handle keeps the data, if it is that of a turn that is still unreadable.
func (s *stored) handle(c *ui.Context, msg storedMsg, unreadable uuid.UUID) {
	if !s.asking.Accept(msg.number) || s.asking.Key() != unreadable {
		return
	}
	if msg.err != nil {
		c.Post(ui.Failed{Doing: "reading stored data", Said: "Couldn't read the stored data", Err: msg.err})
	}
	if msg.err == nil || msg.text != "" {
		s.hide()
		s.turn, s.text = unreadable, cleantext.Text(indented(msg.text))
	}
}

// lay lays the data out on a page, unless it has that width already.
func (s *stored) lay(p *page, width int) {
	if s.width == width {
		return
	}
	s.width = width
	text := ansi.Hardwrap(cleantext.Columns(cmp.Or(s.text, "Nothing stored")), max(1, width), true)
	p.show(turn.Text{Lines: strings.Split(text, "\n")}, false)
}

// indented indents JSON documents, one a line. Other lines stay as they are.
func indented(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		var laid bytes.Buffer
		if json.Indent(&laid, []byte(line), "", "  ") == nil {
			line = laid.String() + "\n"
		}
		out.WriteString(line)
	}
	return out.String()
}

// isUnreadable reports whether the wanted turn could not be read.
func (r *Reader) isUnreadable() bool { return r.failed != (ui.Failure{}) }

// unreadable returns the wanted turn if it could not be read, else uuid.Nil.
func (r *Reader) unreadable() uuid.UUID {
	if r.isUnreadable() {
		return r.wanted
	}
	return uuid.Nil
}

// showsStored reports whether the stored data of the wanted turn is shown in its place.
func (r *Reader) showsStored() bool { return r.isUnreadable() && r.stored.turn == r.wanted }

// toggleStored shows the stored data of the turn, or hides it again.
func (r *Reader) toggleStored() tea.Cmd {
	switch {
	case r.stored.turn == r.wanted:
		r.stored.hide()
	case r.opts.Storage == nil:
		r.ui.Post(ui.Notify("No stored data to show"))
	default:
		return r.stored.request(r.ui, r.opts.Storage, r.conversation, r.wanted)
	}
	return nil
}
