package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/tui/dialog"
	"lens/tui/theme"
	"lens/tui/ui"
)

// Jobs run in the background: an import, an embedding. Searching works meanwhile. A job ends with the explorer.
// Canceling or quitting keeps its progress, and starting it again resumes.

// Work is a long operation. It reports progress and returns a summary.
type Work struct {
	Name string // "importing"
	Unit string // what is counted, in the plural; "bytes" are written as such
	Do   func(ctx context.Context, report func(done, total int64)) (said string, err error)
}

// job is running Work. The worker stores the progress; the event loop only reads it.
type job struct {
	id          int
	name, unit  string
	begun       time.Time
	cancel      context.CancelFunc
	done, total atomic.Int64
}

// jobDoneMsg reports the end of a job.
type jobDoneMsg struct {
	id   int
	said string
	err  error
}

// start begins work.
func (m *model) start(w Work) tea.Cmd {
	m.lastJob++
	ctx, cancel := context.WithCancel(m.ui.Ctx)
	j := &job{id: m.lastJob, name: w.Name, unit: w.Unit, begun: m.ui.Now(), cancel: cancel}
	m.jobs = append(m.jobs, j)
	return m.ui.Tasks.Command(func() tea.Msg {
		defer cancel()
		said, err := w.Do(ctx, func(done, total int64) {
			j.done.Store(done)
			j.total.Store(total)
		})
		return jobDoneMsg{j.id, said, err}
	})
}

// takeJobDone reports the result of a job and reads the archive again, which may have grown.
func (m *model) takeJobDone(msg jobDoneMsg) {
	for i, j := range m.jobs {
		if j.id == msg.id {
			m.jobs = append(m.jobs[:i:i], m.jobs[i+1:]...)
			switch {
			case errors.Is(msg.err, context.Canceled):
				m.notice = "Stopped " + j.name + "; progress is kept"
			case msg.err != nil:
				m.complain(j.name, "Couldn't finish "+j.name, msg.err)
			default:
				m.notice = ui.Line(msg.said)
			}
		}
	}
	m.refresh()
}

// refresh drops everything read from the archive, so that it is requested again.
func (m *model) refresh() {
	m.lanes.open.Forget()
	m.lanes.survey.Forget()
	m.lanes.hours.Forget()
	m.lanes.peek.Forget()
	m.lanes.rest.Forget()
	m.lanes.values.Forget()
	m.finds.Clear()
	m.values.Clear()
	m.turns.window = span{}
	delete(m.failed, paneHistogram)
}

// words describes the progress of a job: "importing 12.4 of 48.2 MB, 26%, 1m27s left".
func (j *job) words(now time.Time) string {
	done, total := j.done.Load(), j.total.Load()
	if total <= 0 {
		return j.name
	}
	amount := theme.Number(int(done)) + " of " + theme.Number(int(total)) + " " + j.unit
	if j.unit == "bytes" {
		amount = fmt.Sprintf("%.1f of %.1f MB", float64(done)/1e6, float64(total)/1e6)
	}
	words := fmt.Sprintf("%s %s, %d%%", j.name, amount, done*100/total)
	if took := now.Sub(j.begun); done > 0 && done < total && took > time.Second {
		left := time.Duration(float64(took) / float64(done) * float64(total-done)).Round(time.Second)
		words += ", " + left.String() + " left"
	}
	return words
}

// jobLine describes the progress of all jobs, "" for none.
func (m *model) jobLine() string {
	var words []string
	for _, j := range m.jobs {
		words = append(words, j.words(m.ui.Now()))
	}
	if len(words) > 0 && m.isSearching() {
		words = append(words, "counts still growing")
	}
	return m.ui.Theme.Remarks(words...)
}

// progressBar returns the progress for the terminal to show, nil for none.
func (m *model) progressBar() *tea.ProgressBar {
	if len(m.jobs) == 0 {
		return nil
	}
	done, total := m.jobs[0].done.Load(), m.jobs[0].total.Load()
	if total <= 0 {
		return tea.NewProgressBar(tea.ProgressBarIndeterminate, 0)
	}
	return tea.NewProgressBar(tea.ProgressBarDefault, int(done*100/total))
}

// openJobs lists the jobs that can be started, and the running ones to cancel.
func (m *model) openJobs() tea.Cmd {
	var items []dialog.Item
	add := func(label string, do func() tea.Cmd) {
		items = append(items, dialog.Item{Label: label, Do: do})
	}
	for _, j := range m.jobs {
		add("Cancel: "+j.words(m.ui.Now()), func() tea.Cmd {
			j.cancel()
			return nil
		})
	}
	if m.opts.Import != nil {
		add("Import an export"+m.ui.Theme.Glyphs.Ellipsis, m.askImport)
	}
	if m.opts.Embed != nil {
		const label = "Search by meaning: embed every turn with the built-in model"
		add(label, func() tea.Cmd { return m.start(*m.opts.Embed) })
	}
	if len(items) == 0 {
		m.notice = "No jobs"
		return nil
	}
	return m.openMenu(dialog.MenuOptions{Title: "Jobs", None: "No such job", Items: items})
}

// askImport asks for the path of an export and imports it.
func (m *model) askImport() tea.Cmd {
	if m.opts.Import == nil {
		m.notice = "Importing is not available here"
		return nil
	}
	answer := func(path string) (tea.Cmd, string) {
		path = strings.Trim(strings.TrimSpace(path), `'"`) // quoted when a file is dropped on the terminal
		if path == "" {
			return nil, "Enter a path"
		}
		return m.start(m.opts.Import(expanded(path))), ""
	}
	return m.pick(dialog.PickerOptions{
		PromptOptions: dialog.PromptOptions{Label: "Import", Hint: "path to a zip, a folder or a file", Answer: answer},
	})
}
