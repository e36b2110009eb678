package external

import (
	"cmp"
	"os/exec"
	"runtime"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/dialog"
	"lens/tui/turn"
	"lens/tui/ui"
)

// Links are opened in the browser of the user, which is another program: Lens itself opens nothing. Where there is no
// browser, or nothing may leave the machine, they can be copied.

// copiesLink is the key in the menu of links that copies one.
const copiesLink = "ctrl+y"

// openLinks lists the conversation where it was held, and the links of the open turn.
func (e *Exporter) openLinks() tea.Cmd {
	t := e.open()
	if t == nil {
		return nil
	}
	var items []dialog.Item
	add := func(label, url string) {
		label, shown := ui.Line(label), ui.Line(url)
		items = append(items, dialog.Item{ID: url, Label: label, Right: shown, Do: func() tea.Cmd { return e.browse(url) }})
	}
	if site, url := original(t); url != "" {
		add("This conversation on "+site, url)
	}
	for _, text := range []string{t.User, t.Assistant} {
		_, links := turn.Parts(text)
		for _, l := range links {
			add(cmp.Or(l.Text, l.URL), l.URL)
		}
	}
	if len(items) == 0 {
		e.notify("No links in this turn")
		return nil
	}
	title := "Links: enter opens, " + copiesLink + " copies"
	if e.opts.Closed != "" {
		title = "Links: " + copiesLink + " copies"
	}
	e.openMenu(dialog.MenuOptions{
		Title: title, None: "No such link", Items: items,
		Also: map[string]dialog.Action{copiesLink: {Do: func(item dialog.Item) (tea.Cmd, string) {
			return e.Copy(item.ID), ""
		}}},
	})
	return nil
}

// original returns where a conversation was held: the site, and its address; "" if that is not known. An ID that Lens
// made of another one leads nowhere.
func original(t *retrieval.Turn) (site, url string) {
	if t.Chunk != nil || t.Conversation == uuid.Nil || t.Conversation.Version() == 5 {
		return "", ""
	}
	switch t.Source {
	case "chatgpt":
		return "chatgpt.com", "https://chatgpt.com/c/" + t.Conversation.String()
	case "claude":
		return "claude.ai", "https://claude.ai/chat/" + t.Conversation.String()
	}
	return "", ""
}

// browse opens a link in the browser. Without one on this machine it copies it.
func (e *Exporter) browse(url string) tea.Cmd {
	if e.opts.Closed != "" {
		e.notify("Not opened, " + e.opts.Closed + ": " + ui.Line(url))
		return nil
	}
	words := e.browser(runtime.GOOS)
	if words == nil {
		e.notify("No browser here")
		return e.Copy(url)
	}
	start := e.opts.Start
	if start == nil {
		start = startProgram
	}
	return e.command(func() tea.Msg {
		if err := start(append(words, url)); err != nil {
			return failedMsg{Doing: "opening a link", Said: "Couldn't open the link", Err: err}
		}
		return saidMsg("Opened in the browser")
	})
}

// browser returns the command line of the browser, nil if there is none on this machine, as over SSH or without a
// desktop.
func (e *Exporter) browser(system string) []string {
	env := e.opts.Env.Getenv
	if words := firstOf(env("BROWSER")); words != nil {
		return words
	}
	if env("SSH_TTY") != "" || env("SSH_CONNECTION") != "" {
		return nil
	}
	switch system {
	case "darwin":
		return []string{"open"}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	if env("DISPLAY") == "" && env("WAYLAND_DISPLAY") == "" {
		return nil
	}
	return []string{"xdg-open"}
}

// startProgram starts a program without a terminal, and does not wait for it.
func startProgram(words []string) error {
	program := exec.Command(words[0], words[1:]...)
	if err := program.Start(); err != nil {
		return err
	}
	return program.Process.Release()
}
