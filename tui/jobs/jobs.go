// Package jobs runs what takes long in the background: an import, an embedding. The rest of the explorer works
// meanwhile. A job ends with the explorer. Canceling or quitting keeps its progress, and starting it again resumes.
package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/tui/async"
	"lens/tui/dialog"
	"lens/tui/theme"
	"lens/tui/ui"
)

// Work is a long operation. It reports progress and returns a summary.
type Work struct {
	Name string // "importing"
	Unit string // what is counted, in the plural; "bytes" are written as such
	Do   func(ctx context.Context, report func(done, total int64)) (said string, err error)
}

// Archive is what jobs change.
type Archive interface {
	// Import imports the exports at paths.
	Import(paths ...string) Work
	// Embed embeds every turn with a built-in model, nil for none.
	Embed() *Work
	// Unembedded counts the turns that Embed has left, negative where that is not known.
	Unembedded(ctx context.Context) int
	// Upkeep returns what the opened archive needs before all filters work, for example since an older Lens made it;
	// nil for nothing.
	Upkeep(ctx context.Context) *Work
}

// Folders have the exports.
type Folders interface {
	dialog.Folders
	// Path returns the path that a typed one means.
	Path(typed string) string
}

// Options configures jobs.
type Options struct {
	Archive Archive // nil: nothing can be done
	Folders Folders // to pick an export from
}

// Ended is posted when a job has ended: the archive may have changed.
type Ended struct{}

// Jobs are those that run.
type Jobs struct {
	ui     *ui.Context
	opts   Options
	keptUp bool // Upkeep was looked for

	unembedded int // as Archive counts them
	counting   async.Latest[bool]

	running []*job // oldest first
	last    int    // the number of the newest
}

// job is running Work. The worker stores the progress; the event loop only reads it.
type job struct {
	number      int
	name, unit  string
	begun       time.Time
	cancel      context.CancelFunc
	done, total atomic.Int64
}

// endedMsg delivers the result of a job.
type endedMsg struct {
	number int
	said   string
	err    error
}

// upkeepMsg has the upkeep of the archive, nil for none.
type upkeepMsg struct{ work *Work }

// countedMsg says how many turns there are to embed.
type countedMsg struct{ number, unembedded int }

// New returns no jobs.
func New(c *ui.Context, opts Options) *Jobs { return &Jobs{ui: c, opts: opts, unembedded: -1} }

// IsBusy reports whether a job runs.
func (j *Jobs) IsBusy() bool { return len(j.running) > 0 }

// Start begins work.
func (j *Jobs) Start(w Work) tea.Cmd {
	j.last++
	ctx, cancel := context.WithCancel(j.ui.Ctx)
	now := &job{number: j.last, name: w.Name, unit: w.Unit, begun: j.ui.Now(), cancel: cancel}
	j.running = append(j.running, now)
	return j.ui.Tasks.Command(func() tea.Msg {
		defer cancel()
		said, err := w.Do(ctx, func(done, total int64) {
			now.done.Store(done)
			now.total.Store(total)
		})
		return endedMsg{now.number, said, err}
	})
}

// KeepUp begins the upkeep of the archive, once, after a pause that gives urgent requests precedence.
func (j *Jobs) KeepUp(pause time.Duration) tea.Cmd {
	archive, ctx := j.opts.Archive, j.ui.Ctx
	if archive == nil || j.keptUp {
		return nil
	}
	j.keptUp = true
	return j.ui.Tasks.Command(func() tea.Msg {
		if !async.Wait(ctx, pause) {
			return nil
		}
		return upkeepMsg{archive.Upkeep(ctx)}
	})
}

// Recount counts the turns to embed, since the archive may have changed.
func (j *Jobs) Recount() tea.Cmd {
	archive := j.opts.Archive
	if archive == nil {
		return nil
	}
	j.counting.Forget()
	ctx, number, _ := j.counting.Ask(j.ui.Ctx, true, j.ui.Now())
	return j.ui.Tasks.Command(func() tea.Msg { return countedMsg{number, archive.Unembedded(ctx)} })
}

// Update handles the results of jobs.
func (j *Jobs) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case endedMsg:
		j.end(msg)
		return j.Recount()
	case upkeepMsg:
		if msg.work != nil {
			return tea.Batch(j.Start(*msg.work), j.Recount())
		}
		return j.Recount()
	case countedMsg:
		if j.counting.Accept(msg.number) {
			j.unembedded = msg.unembedded
		}
	}
	return nil
}

func (j *Jobs) end(msg endedMsg) {
	at := slices.IndexFunc(j.running, func(r *job) bool { return r.number == msg.number })
	if at < 0 {
		return
	}
	name := j.running[at].name
	j.running = slices.Delete(j.running, at, at+1)
	switch {
	case errors.Is(msg.err, context.Canceled):
		j.ui.Post(ui.Notify("Stopped " + name + "; progress is kept"))
	case msg.err != nil:
		j.ui.Post(ui.Failed{Doing: name, Said: "Couldn't finish " + name, Err: msg.err})
	default:
		j.ui.Post(ui.Notify(ui.Line(msg.said)))
	}
	j.ui.Post(Ended{})
}

// Progress describes each job: "importing 12.4 of 48.2 MB, 26%, 1m27s left".
func (j *Jobs) Progress() []string {
	var words []string
	for _, r := range j.running {
		words = append(words, r.words(j.ui.Now()))
	}
	return words
}

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

// Bar returns the progress of the oldest job for the terminal to show, nil for none.
func (j *Jobs) Bar() *tea.ProgressBar {
	if !j.IsBusy() {
		return nil
	}
	done, total := j.running[0].done.Load(), j.running[0].total.Load()
	if total <= 0 {
		return tea.NewProgressBar(tea.ProgressBarIndeterminate, 0)
	}
	return tea.NewProgressBar(tea.ProgressBarDefault, int(done*100/total))
}

// List opens a menu of the jobs that can be started, and of the running ones to cancel.
func (j *Jobs) List() tea.Cmd {
	var items []dialog.Item
	add := func(label string, do func() tea.Cmd) {
		items = append(items, dialog.Item{Label: label, Do: do})
	}
	for _, r := range j.running {
		add("Cancel: "+r.words(j.ui.Now()), func() tea.Cmd {
			r.cancel()
			return nil
		})
	}
	if j.opts.Archive != nil {
		if embed := j.embedding(); embed != nil { // first: the notice of an import points here
			what := "every turn"
			if j.unembedded > 0 {
				what = theme.Count(j.unembedded, "turn", "turns")
			}
			add("Search by meaning: embed "+what+" with the built-in model", func() tea.Cmd { return j.Start(*embed) })
		}
		items = append(items, dialog.Item{Label: "Import an export", Do: j.AskImport, Opens: true, Extra: true})
	}
	if len(items) == 0 {
		j.ui.Post(ui.Notify("No jobs"))
		return nil
	}
	menu := dialog.MenuOptions{Title: "Jobs", None: "No such job", Items: items}
	j.ui.Post(dialog.Open{Dialog: dialog.NewMenu(j.ui, menu)})
	return nil
}

// embedding returns the embedding that is left to do, nil for none or while it runs.
func (j *Jobs) embedding() *Work {
	embed := j.opts.Archive.Embed()
	if embed == nil || j.unembedded == 0 ||
		slices.ContainsFunc(j.running, func(r *job) bool { return r.name == embed.Name }) {
		return nil
	}
	return embed
}

// Import imports what is at paths.
func (j *Jobs) Import(paths []string) tea.Cmd { return j.Start(j.opts.Archive.Import(paths...)) }

// AskImport asks for the path of an export and imports it.
func (j *Jobs) AskImport() tea.Cmd {
	answer := func(path string) (tea.Cmd, string) {
		path = strings.Trim(strings.TrimSpace(path), `'"`) // quoted when a file is dropped on the terminal
		if path == "" {
			return nil, "Enter a path"
		}
		return j.Start(j.opts.Archive.Import(j.opts.Folders.Path(path))), ""
	}
	prompt := dialog.PromptOptions{Label: "Import", Hint: "path to a zip, a folder or a file", Answer: answer}
	picker := dialog.NewPicker(j.ui, j.opts.Folders, dialog.PickerOptions{PromptOptions: prompt})
	j.ui.Post(dialog.Open{Dialog: picker})
	return nil
}
