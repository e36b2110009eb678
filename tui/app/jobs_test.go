package app

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/search"
)

// importing returns an explorer whose import adds turns.
func importing(before, after int, do func(ctx context.Context, report func(done, total int64)) (string, error)) (*driver, *[]string) {
	small, big := newFake(before), newFake(after)
	paths, open := &[]string{}, before > 0
	var current *fakeEngine
	d := drive(Options{
		Archive: &fakeArchive{open: func(context.Context) (Engine, error) {
			if !open {
				return nil, errNotThere
			}
			if current == nil {
				current = small
			}
			return &switching{&current}, nil
		}},
		Jobs: &fakeJobs{imports: func(path string) Work {
			*paths = append(*paths, path)
			return Work{Name: "importing", Unit: "bytes", Do: func(ctx context.Context, report func(done, total int64)) (string, error) {
				said, err := do(ctx, report)
				if err == nil {
					open, current = true, big
				}
				return said, err
			}}
		}},
	}, 100, 30)
	return d, paths
}

// switching is an engine that can be replaced.
type switching struct{ to **fakeEngine }

func (s *switching) Peek(ctx context.Context, q query.Query) (*retrieval.Peek, error) {
	return (*s.to).Peek(ctx, q)
}

func (s *switching) Browse(ctx context.Context, q query.Query, o retrieval.BrowseOptions) (*retrieval.BrowseResult, error) {
	return (*s.to).Browse(ctx, q, o)
}

func (s *switching) AboutEach(ctx context.Context, windows ...retrieval.Window) ([]retrieval.About, error) {
	return (*s.to).AboutEach(ctx, windows...)
}

func (s *switching) Topics(ctx context.Context, q query.Query) (*retrieval.Topics, error) {
	return (*s.to).Topics(ctx, q)
}

func (s *switching) Habits(ctx context.Context, zone *time.Location) (*retrieval.Habits, error) {
	return (*s.to).Habits(ctx, zone)
}

func (s *switching) Turn(ctx context.Context, id string) (*retrieval.Turn, error) {
	return (*s.to).Turn(ctx, id)
}

func (s *switching) Suggest(ctx context.Context, q string) (string, error) {
	return (*s.to).Suggest(ctx, q)
}

func (s *switching) Activity(ctx context.Context, o query.Query) (*retrieval.Activity, error) {
	return (*s.to).Activity(ctx, o)
}

func (s *switching) Tags(ctx context.Context) ([]string, error) { return (*s.to).Tags(ctx) }

func (s *switching) TopicNames(ctx context.Context) ([]string, error) { return (*s.to).TopicNames(ctx) }

func (s *switching) CompleteTitle(ctx context.Context, begun string, limit int) ([]string, error) {
	return (*s.to).CompleteTitle(ctx, begun, limit)
}

func (s *switching) Sources(ctx context.Context) ([]string, error) { return (*s.to).Sources(ctx) }

func (s *switching) Kinds(ctx context.Context) ([]string, error) { return (*s.to).Kinds(ctx) }

func (s *switching) Models(ctx context.Context) ([]string, error) {
	return (*s.to).Models(ctx)
}

func (s *switching) Overview(ctx context.Context) (*retrieval.Overview, error) {
	return (*s.to).Overview(ctx)
}

// runAll runs a command and its parts, and sends what they return.
func runAll(cmd tea.Cmd, results chan<- tea.Msg) {
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			if c != nil {
				go runAll(c, results)
			}
		}
	default:
		results <- msg
	}
}

func typing(d *driver, text string) {
	for _, r := range text {
		d.keys(string(r))
	}
}

func TestJobs_ImportIntoAnEmptyArchive(t *testing.T) {
	d, paths := importing(0, 300, func(_ context.Context, report func(done, total int64)) (string, error) {
		report(5, 10)
		return "300 turns came in", nil
	})
	d.mustShow(t, "Your archive is empty", "enter", "import an export")
	d.keys("enter")
	typing(d, "'/tmp/export.zip'")
	d.keys("enter")
	if len(*paths) != 1 || (*paths)[0] != "/tmp/export.zip" {
		t.Fatalf("imported is %q", *paths)
	}
	d.mustShow(t, "300 turns came in", "300 turns")
	d.search("cancel")
	if d.results.Len() == 0 {
		t.Error("imported turns are not found")
	}
}

// An empty archive offers what is on the machine.
func TestJobs_ImportWhatIsOnTheMachine(t *testing.T) {
	d, paths := importing(0, 300, func(context.Context, func(done, total int64)) (string, error) { return "300 turns came in", nil })
	d.mustNotShow(t, "On this machine")
	opts := d.opts
	opts.Look = func(context.Context) ([]Found, error) {
		return []Found{{Name: "Codex", Path: "/h/.codex", Shown: "~/.codex"}, {Name: "Pi", Path: "/h/.pi", Shown: "~/.pi"}}, nil
	}
	opts.Servers = func(context.Context) []string { return []string{"Ollama answers."} }
	d = drive(opts, 80, 24)
	d.mustShow(t, "Ollama answers.", "On this machine", "Codex", "~/.pi", "import what is on this machine")
	d.mustFill(t)
	d.keys("i enter")
	if len(*paths) != 1 || (*paths)[0] != "/h/.codex /h/.pi" {
		t.Fatalf("imported is %q", *paths)
	}
	d.mustShow(t, "300 turns came in")
	d.mustNotShow(t, "On this machine")
}

func TestJobs_SearchDuringAnImport(t *testing.T) {
	d, _ := importing(200, 1200, func(context.Context, func(done, total int64)) (string, error) { return "done", nil })
	d.search("cancel").keys("1 g n enter 2 j")
	view, before := d.timeline.Zoom().Span, d.found.Peek.Histogram.Total
	d.keys(". enter")
	typing(d, "x")
	d.keys("enter")
	if d.timeline.Zoom().Span != view || d.bar.Text() != "cancel" {
		t.Errorf("the import moved the view from %v to %v", view, d.timeline.Zoom().Span)
	}
	d.keys("1 0")
	if d.found.Peek.Histogram.Total <= before || d.archive.Overview().Turns != 1200 {
		t.Error("imported turns are not counted")
	}
}

func TestJobs_ProgressAndCancel(t *testing.T) {
	begun, canceled := make(chan struct{}), make(chan struct{})
	d, _ := importing(200, 300, func(ctx context.Context, report func(done, total int64)) (string, error) {
		report(12_400_000, 48_200_000)
		close(begun)
		<-ctx.Done()
		close(canceled)
		return "", ctx.Err()
	})
	d.hold = true
	d.keys(". enter x enter")
	held := d.held
	d.held = nil
	results := make(chan tea.Msg, 100)
	for _, cmd := range held {
		go runAll(cmd, results)
	}
	select {
	case <-begun:
	case <-time.After(time.Minute):
		t.Fatal("the job does not begin")
	}
	d.send(tickMsg{})
	d.mustShow(t, "importing 12.4 of 48.2 MB, 25%")
	d.mustNotShow(t, "counts still growing")
	d.bar.Want(query.Literal("cancel"), search.Similar{})
	d.send(tickMsg{})
	d.mustShow(t, " left · counts still growing")
	d.bar.Want(query.Query{}, search.Similar{})
	if bar := d.View().ProgressBar; bar == nil || bar.Value != 25 {
		t.Errorf("the progress bar is %+v", bar)
	}
	d.keys(". enter")
	select {
	case <-canceled:
	case <-time.After(time.Minute):
		t.Fatal("the job goes on")
	}
	for end := time.After(time.Minute); !strings.Contains(d.footer.Notice(), "Stopped"); {
		select {
		case msg := <-results:
			d.send(msg)
		case <-end:
			t.Fatal("the job does not end")
		}
	}
	d.mustShow(t, "Stopped importing; progress is kept")
	if strings.Contains(d.screen(), "48.2 MB") || d.View().ProgressBar != nil {
		t.Error("the job is still shown")
	}
}

func TestJobs_FailureSaysWhy(t *testing.T) {
	d, _ := importing(200, 300, func(context.Context, func(done, total int64)) (string, error) {
		return "", errors.New("that is not an export")
	})
	d.keys(". enter x enter")
	d.mustShow(t, "Couldn't finish importing: that is not an export")
}

func (s *switching) Path(ctx context.Context, turn uuid.UUID) (*retrieval.Path, error) {
	return (*s.to).Path(ctx, turn)
}

func (s *switching) Conversations(ctx context.Context) ([]retrieval.ListedConversation, error) {
	return (*s.to).Conversations(ctx)
}

func (s *switching) FindIn(ctx context.Context, in uuid.UUID, wanted *regexp.Regexp) ([]uuid.UUID, error) {
	return (*s.to).FindIn(ctx, in, wanted)
}
