package external

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/atotto/clipboard"
	"github.com/google/uuid"

	"lens/tui/dialog"
	"lens/tui/theme"
	"lens/tui/turn"
	"lens/tui/ui"
)

// Copy copies text. Over SSH, or without a clipboard tool, it goes through the terminal, which does not confirm
// whether it accepted the text: so the notice offers a file, too.
func (e *Exporter) Copy(text string) tea.Cmd {
	remote := e.opts.Env.Getenv("SSH_TTY") != "" || e.opts.Env.Getenv("SSH_CONNECTION") != ""
	tool := e.opts.Clipboard
	if tool == nil {
		tool = clipboard.WriteAll
		remote = remote || clipboard.Unsupported
	}
	return e.command(func() tea.Msg {
		if remote || tool(text) != nil {
			return copiedMsg(text)
		}
		return saidMsg("Copied " + amount(text))
	})
}

func (e *Exporter) copyTurns(ids ...uuid.UUID) tea.Cmd {
	return e.command(func() tea.Msg {
		text, err := e.written(ids, "")
		if err != nil {
			return failedMsg{Doing: "copying", Said: "Couldn't copy", Err: err}
		}
		return writtenMsg(text)
	})
}

func (e *Exporter) copyThroughTerminal(text string) tea.Cmd {
	saves := " saves it"
	if strings.Contains(strings.TrimRight(text, "\n"), "\n") {
		saves = " saves them"
	}
	e.notify(e.ui.Theme.Remarks("Copied "+amount(text), e.ui.Key("write")+saves))
	return tea.SetClipboard(text)
}

func amount(text string) string {
	return theme.Count(strings.Count(strings.TrimRight(text, "\n"), "\n")+1, "line", "lines")
}

// openCopy lists what can be copied from the open turn and the marked ones.
func (e *Exporter) openCopy() tea.Cmd {
	t := e.open()
	if t == nil {
		return nil
	}
	var items []dialog.Item
	add := func(label, right string, do func() tea.Cmd) {
		items = append(items, dialog.Item{Label: label, Right: right, Do: do})
	}
	text := func(text string) func() tea.Cmd { return func() tea.Cmd { return e.Copy(text) } }
	if n := len(e.turns.Marked); n > 0 {
		label := theme.Count(n, "marked turn", "marked turns") + " as Markdown"
		add(label, "", func() tea.Cmd { return e.copyTurns(e.chosen()...) })
	}
	add("Turn as Markdown", "", func() tea.Cmd { return e.copyTurns(t.TurnID) })
	if strings.TrimSpace(t.User) != "" {
		add("Question", "", text(t.User))
	}
	if strings.TrimSpace(t.Assistant) != "" {
		add("Answer", "", text(t.Assistant))
	}
	code, links := turn.Parts(t.Assistant)
	for _, c := range code {
		add("Code: "+ui.Line(strings.TrimSpace(c.Text)), ui.Line(c.Language), text(c.Text))
	}
	for _, l := range links {
		add("Link: "+ui.Line(l.URL), ui.Line(l.Text), text(l.URL))
	}
	add("Turn ID", t.TurnID.String()[:8], text(t.TurnID.String()))
	e.openMenu(dialog.MenuOptions{Title: "Copy", None: "Nothing matches", Items: items})
	return nil
}

// copyChosen copies the marked turns, else the open one.
func (e *Exporter) copyChosen() tea.Cmd {
	ids := e.chosen()
	if len(ids) == 0 {
		return nil
	}
	return e.copyTurns(ids...)
}

// copyAnswer copies the answer of the open turn.
func (e *Exporter) copyAnswer() tea.Cmd {
	t := e.open()
	switch {
	case t == nil:
		return nil
	case strings.TrimSpace(t.Assistant) == "":
		e.notify("No answer in this turn")
		return nil
	}
	return e.Copy(t.Assistant)
}

// copyLink copies the link of the open turn; of several, one is chosen.
func (e *Exporter) copyLink() tea.Cmd {
	t := e.open()
	if t == nil {
		return nil
	}
	if _, links := turn.Parts(t.Assistant); len(links) == 1 {
		return e.Copy(links[0].URL)
	}
	return e.openLinks()
}

// copyCode copies the block of code in view, or the next one below.
func (e *Exporter) copyCode() tea.Cmd {
	t := e.open()
	if t == nil {
		return nil
	}
	code, _ := turn.Parts(t.Assistant)
	if len(code) == 0 {
		e.notify("No code in this turn")
		return nil
	}
	return e.Copy(code[min(e.turns.Code, len(code)-1)].Text)
}

func (e *Exporter) openMenu(opts dialog.MenuOptions) {
	e.ui.Post(dialog.Open{Dialog: dialog.NewMenu(e.ui, opts)})
}
