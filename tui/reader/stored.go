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
	"lens/tui/turn"
	"lens/tui/ui"
)

// stored is the stored data of a turn that cannot be read.
type stored struct {
	turn  uuid.UUID
	text  string
	width int // that the page has it laid out for
}

// storedMsg delivers the stored data of a turn.
type storedMsg struct {
	number int
	text   string
	err    error
}

// isUnreadable reports whether the wanted turn could not be read.
func (r *Reader) isUnreadable() bool { return r.failed != (ui.Failure{}) }

// showsStored reports whether the stored data of the wanted turn is shown in its place.
func (r *Reader) showsStored() bool { return r.isUnreadable() && r.stored.turn == r.wanted }

// toggleStored shows the stored data of the turn, or hides it again.
func (r *Reader) toggleStored() tea.Cmd {
	if r.stored.turn == r.wanted {
		r.stored = stored{}
		return nil
	}
	if r.opts.Storage == nil {
		r.ui.Post(ui.Notify("No stored data to show"))
		return nil
	}
	r.fetching.Forget()
	ctx, number, _ := r.fetching.Ask(r.ui.Ctx, r.wanted, r.ui.Now())
	conversation, id, storage := r.conversation, r.wanted, r.opts.Storage
	return r.ui.Tasks.Command(func() tea.Msg {
		text, err := storage.Stored(ctx, conversation, id)
		if ctx.Err() != nil {
			return nil
		}
		return storedMsg{number, text, err}
	})
}

func (r *Reader) handleStored(msg storedMsg) {
	if !r.fetching.Accept(msg.number) || r.fetching.Key() != r.wanted || !r.isUnreadable() {
		return
	}
	if msg.err != nil {
		r.ui.Post(ui.Failed{Doing: "reading stored data", Said: "Couldn't read the stored data", Err: msg.err})
	}
	if msg.err == nil || msg.text != "" {
		r.stored = stored{turn: r.wanted, text: cleantext.Text(indented(msg.text))}
	}
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

// layStored lays the stored data out on the page.
func (r *Reader) layStored() {
	if r.stored.width == r.width {
		return
	}
	r.stored.width = r.width
	text := ansi.Hardwrap(cleantext.Columns(cmp.Or(r.stored.text, "Nothing stored")), max(1, r.width), true)
	r.page.show(turn.Text{Lines: strings.Split(text, "\n")}, false)
}
