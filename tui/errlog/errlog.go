// Package errlog lists the latest errors with their details. A pane shows its own in a line or two.
package errlog

import (
	"cmp"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/tui/dialog"
	"lens/tui/theme"
	"lens/tui/ui"
)

// Entry is an error. Its texts must be clean single lines.
type Entry struct {
	Doing   string // "searching"
	Message string // for the user
	Hint    string // what to do about it; may be empty
	Code    string // "": internal
	Detail  string // the error itself, with the operations that failed
}

// Log has the latest errors.
type Log struct {
	ui      *ui.Context
	file    string // where details are logged, for display
	entries []logged
}

// logged is an error that occurred last at a time.
type logged struct {
	Entry
	at    time.Time
	times int // in a row
}

// most bounds the log.
const most = 20

// New returns an empty log. The details of errors are also in a file, "" for none.
func New(c *ui.Context, file string) *Log { return &Log{ui: c, file: file} }

// Add adds an error. One that is repeated is listed once.
func (l *Log) Add(e Entry) {
	now := logged{Entry: e, at: l.ui.Now(), times: 1}
	if last := len(l.entries) - 1; last >= 0 && l.entries[last].Detail == e.Detail && l.entries[last].Doing == e.Doing {
		now.times += l.entries[last].times
		l.entries = l.entries[:last]
	}
	l.entries = append(l.entries, now)
	l.entries = l.entries[max(0, len(l.entries)-most):]
}

// Open lists the errors, latest first.
func (l *Log) Open() tea.Cmd {
	if len(l.entries) == 0 {
		l.ui.Post(ui.Notify("No errors"))
		return nil
	}
	l.ui.Post(dialog.Open{Dialog: dialog.NewPager(l.ui, "Errors", l.lines)})
	return nil
}

// nameWidth is the width of the names before the texts.
const nameWidth = 8

func (l *Log) lines(width int) []string {
	var lines []string
	th, room := l.ui.Theme, max(1, width-nameWidth)
	say := func(name, text string) {
		if text == "" {
			return
		}
		for i, line := range theme.Wrapped(text, room) {
			if i > 0 {
				name = ""
			}
			lines = append(lines, th.Dim.Render(th.Fit(name, nameWidth))+line)
		}
	}
	for i := len(l.entries) - 1; i >= 0; i-- {
		e := l.entries[i]
		head := e.at.In(cmp.Or(l.ui.Zone, time.UTC)).Format("15:04:05 MST") + "  " + e.Doing
		if e.times > 1 {
			head += fmt.Sprintf(", %d times", e.times)
		}
		lines = append(lines, th.Bold.Render(head))
		say("error", e.Message)
		say("code", cmp.Or(e.Code, "internal"))
		say("next", e.Hint)
		if e.Detail != e.Message {
			say("detail", e.Detail)
		}
		lines = append(lines, "")
	}
	say("log", ui.Line(l.file))
	return lines
}
