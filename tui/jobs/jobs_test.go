package jobs_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/tui/dialog"
	"lens/tui/jobs"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
)

// fakeArchive imports as a function says.
type fakeArchive struct {
	imports       func(path string) jobs.Work
	embed, upkeep *jobs.Work
	unembedded    int
}

func (a *fakeArchive) Import(paths ...string) jobs.Work  { return a.imports(paths[0]) }
func (a *fakeArchive) Embed() *jobs.Work                 { return a.embed }
func (a *fakeArchive) Unembedded(context.Context) int    { return a.unembedded }
func (a *fakeArchive) Upkeep(context.Context) *jobs.Work { return a.upkeep }

// home has no folders, and is short for /home.
type home struct{}

func (home) Path(typed string) string { return strings.Replace(typed, "~", "/home", 1) }

func (home) Entries(context.Context, string) (in string, entries []dialog.Entry, err error) {
	return "/home", nil, nil
}

func newJobs(opts jobs.Options) (*jobs.Jobs, *ui.Context) {
	c, now := uitest.Context(theme.ASCII), uitest.Noon
	c.Now = func() time.Time { now = now.Add(time.Second); return now }
	return jobs.New(c, opts), c
}

// work ends as done returns.
func work(done func() error) jobs.Work {
	return jobs.Work{Name: "importing", Unit: "bytes", Do: func(_ context.Context, report func(done, total int64)) (string, error) {
		report(12_400_000, 48_200_000)
		err := done()
		return "imported\x1b[31m", err
	}}
}

func TestJobs_ReportHowTheyEnd(t *testing.T) {
	torn := errors.New("the file is torn")
	for _, c := range []struct {
		err  error
		want any
	}{
		{nil, ui.Notify("imported␛[31m")},
		{context.Canceled, ui.Notify("Stopped importing; progress is kept")},
		{torn, ui.Failed{Doing: "importing", Said: "Couldn't finish importing", Err: torn}},
	} {
		j, ctx := newJobs(jobs.Options{})
		cmd := j.Start(work(func() error { return c.err }))
		if !j.IsBusy() {
			t.Error("a started job does not run")
		}
		msg := cmd()
		if j.Update(msg); j.IsBusy() {
			t.Error("an ended job runs")
		}
		if got := ctx.Posted(); !slices.Equal(got, []any{c.want, jobs.Ended{}}) {
			t.Errorf("posted is %v", got)
		}
		if j.Update(msg); len(ctx.Posted()) > 0 {
			t.Error("it ends twice")
		}
	}
}

func TestJobs_ProgressAndCancel(t *testing.T) {
	j, c := newJobs(jobs.Options{})
	if j.Bar() != nil || len(j.Progress()) > 0 {
		t.Error("no job makes progress")
	}
	ctx := make(chan context.Context, 1)
	cmd := j.Start(jobs.Work{Name: "importing", Do: func(within context.Context, report func(done, total int64)) (string, error) {
		report(12, 48)
		ctx <- within
		return "", nil
	}})
	if got := j.Progress(); !slices.Equal(got, []string{"importing"}) {
		t.Errorf("at first: %q", got)
	}
	cmd() // its result is not delivered yet
	if got := j.Progress(); len(got) != 1 || !strings.HasPrefix(got[0], "importing 12 of 48 , 25%, ") || j.Bar().Value != 25 {
		t.Errorf("progress is %q", got)
	}
	j.List()
	menu := c.Posted()[0].(dialog.Open).Dialog
	menu.SetSize(80, 24)
	uitest.MustShow(t, menu.View(), "Cancel: importing 12 of 48")
	menu.Update(uitest.Key("enter"))
	if (<-ctx).Err() == nil {
		t.Error("the job is not canceled")
	}
}

func TestJobs_NothingToDo(t *testing.T) {
	j, c := newJobs(jobs.Options{})
	if j.List(); !slices.Equal(c.Posted(), []any{ui.Notify("No jobs")}) {
		t.Error("an empty list opens")
	}
}

func TestJobs_ImportAsksForAPath(t *testing.T) {
	var imported string
	archive := &fakeArchive{imports: func(path string) jobs.Work {
		imported = path
		return work(func() error { return nil })
	}}
	j, c := newJobs(jobs.Options{Archive: archive, Folders: home{}})
	j.AskImport()
	picker := c.Posted()[0].(dialog.Open).Dialog
	if _, done := picker.Update(uitest.Key("enter")); done {
		t.Error("no path is accepted")
	}
	picker.Update(tea.PasteMsg{Content: "'~/export.zip' "})
	if _, done := picker.Update(uitest.Key("enter")); !done || imported != "/home/export.zip" || !j.IsBusy() {
		t.Errorf("imported is %q", imported)
	}
}

func TestJobs_UpkeepBeginsOnce(t *testing.T) {
	w := work(func() error { return nil })
	j, _ := newJobs(jobs.Options{Archive: &fakeArchive{upkeep: &w}})
	cmd := j.KeepUp(0)
	if j.Update(cmd()); !j.IsBusy() {
		t.Error("the upkeep does not begin")
	}
	if j.KeepUp(0) != nil {
		t.Error("it is looked for again")
	}
}

func TestJobs_Embed(t *testing.T) {
	w := work(func() error { return nil })
	for _, archive := range []*fakeArchive{{embed: &w, unembedded: -1}, {}} {
		j, c := newJobs(jobs.Options{Archive: archive})
		j.List()
		menu := c.Posted()[0].(dialog.Open).Dialog
		for _, pressed := range uitest.Keys("m e a n i n g enter") {
			menu.Update(pressed)
		}
		if j.IsBusy() != (archive.embed != nil) {
			t.Errorf("with %+v it runs: %v", archive.embed, j.IsBusy())
		}
	}
}

// What an import has left to embed is the first job, which enter begins, and nothing of that is offered where all
// turns are embedded.
func TestJobs_EmbedsWhatIsLeft(t *testing.T) {
	embed, imported := work(func() error { return nil }), work(func() error { return nil })
	embed.Name = "embedding"
	archive := &fakeArchive{embed: &embed}
	archive.imports = func(string) jobs.Work { archive.unembedded = 1312; return imported }
	j, c := newJobs(jobs.Options{Archive: archive})
	run := func(cmd tea.Cmd) {
		for cmd != nil {
			cmd = j.Update(cmd())
		}
	}
	listed := func() dialog.Dialog {
		c.Posted()
		j.List()
		menu := c.Posted()[0].(dialog.Open).Dialog
		menu.SetSize(100, 24)
		return menu
	}
	run(j.KeepUp(0))
	if shown := uitest.Text(listed().View()); strings.Contains(shown, "meaning") {
		t.Errorf("all turns are embedded, and it is offered:\n%s", shown)
	}
	run(j.Import([]string{"chats.zip"}))
	menu := listed()
	uitest.MustShow(t, menu.View(), "> Search by meaning: embed 1,312 turns with", "  Import an export")
	begun, _ := menu.Update(uitest.Key("enter"))
	if shown := uitest.Text(listed().View()); !j.IsBusy() || strings.Contains(shown, "Search by meaning") {
		t.Errorf("after enter is offered:\n%s", shown)
	}
	archive.unembedded = 0
	run(begun)
	if shown := uitest.Text(listed().View()); strings.Contains(shown, "meaning") {
		t.Errorf("it is done, and offered:\n%s", shown)
	}
}

// The turns to embed are those of the newest count, whichever ends last.
func TestJobs_LateCount(t *testing.T) {
	embed := work(func() error { return nil })
	archive := &fakeArchive{embed: &embed, unembedded: 1312}
	j, c := newJobs(jobs.Options{Archive: archive})
	late := j.Recount()()
	archive.unembedded = 3
	newest := j.Recount()()
	j.Update(newest)
	j.Update(late)
	j.List()
	menu := c.Posted()[0].(dialog.Open).Dialog
	menu.SetSize(100, 24)
	uitest.MustShow(t, menu.View(), "embed 3 turns with")
}
