package archive_test

import (
	"context"
	"errors"
	"testing"

	tea "charm.land/bubbletea/v2"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/archive"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
)

// fake is an archive of some turns, and its own engine.
type fake struct {
	turns   int
	opening error
	reading error
	limit   string

	opened, surveyed, warmed int
}

func (f *fake) Open(context.Context) (*fake, error) {
	f.opened++
	return f, f.opening
}

func (f *fake) Warm(context.Context) { f.warmed++ }

func (f *fake) Opening() string { return "unpacking\x1b[1m" }

func (f *fake) Limit(context.Context) (badge, why string) {
	if f.limit == "" {
		return "", ""
	}
	return f.limit, "an import writes to it"
}

func (f *fake) Overview(context.Context) (*retrieval.Overview, error) {
	f.surveyed++
	return &retrieval.Overview{Turns: f.turns}, f.reading
}

func (f *fake) Activity(context.Context, query.Query) (*retrieval.Activity, error) {
	return &retrieval.Activity{}, nil
}

// screen gives the archive the lines that a driver wants.
type screen struct{ *archive.Archive[*fake] }

func (screen) View() []string { return nil }

func open(f *fake) (*archive.Archive[*fake], *uitest.Driver) {
	c := uitest.Context(theme.Dark)
	a := archive.New(c, archive.Options[*fake]{Opener: f})
	d := uitest.Drive(c, screen{a})
	d.Hear = func(msg any) {
		if _, ok := msg.(archive.Changed); ok {
			a.Reload()
		}
	}
	return a, d
}

// of returns the posted messages of a type.
func of[T any](posted []any) (all []T) {
	for _, msg := range posted {
		if t, ok := msg.(T); ok {
			all = append(all, t)
		}
	}
	return all
}

func TestArchive_OpensThenSurveys(t *testing.T) {
	f := &fake{turns: 3}
	a, d := open(f)
	if a.IsOpen() || a.IsEmpty() || a.Opening() != "unpacking␛[1m" {
		t.Errorf("before it is open: open %v, empty %v, %q", a.IsOpen(), a.IsEmpty(), a.Opening())
	}
	d.Send(nil)
	posted := d.Posted()
	if got := of[archive.Opened[*fake]](posted); len(got) != 1 || got[0].Engine != f {
		t.Errorf("opened: %v", got)
	}
	if got := of[archive.Surveyed](posted); len(got) != 1 || got[0].Again || got[0].Overview.Turns != 3 {
		t.Errorf("surveyed: %v", got)
	}
	if d.Send(nil); f.opened != 1 || f.surveyed != 1 || f.warmed != 1 {
		t.Errorf("opened %d times, surveyed %d times, warmed %d times", f.opened, f.surveyed, f.warmed)
	}
	f.turns = 5
	a.Reload()
	d.Send(nil)
	if got := of[archive.Surveyed](d.Posted()); len(got) != 1 || !got[0].Again || a.Overview().Turns != 5 {
		t.Errorf("surveyed again: %v", got)
	}
}

func TestArchive_MissingIsEmptyUntilItExists(t *testing.T) {
	f := &fake{opening: &errs.Error{Code: errs.NotFound, Message: "no archive"}}
	a, d := open(f)
	d.Send(nil)
	if !a.IsEmpty() || a.Failure() != (ui.Failure{}) || len(d.Posted()) > 0 {
		t.Errorf("empty %v, %v", a.IsEmpty(), a.Failure())
	}
	f.opening, f.turns = nil, 2
	a.Reload()
	d.Send(nil)
	if a.IsEmpty() || !a.IsOpen() || a.Overview().Turns != 2 {
		t.Error("it is not opened once it exists")
	}
}

func TestArchive_FailureIsShownUntilTriedAgain(t *testing.T) {
	for name, fail := range map[string]func(*fake, error){
		"opening": func(f *fake, err error) { f.opening = err },
		"reading": func(f *fake, err error) { f.reading = err },
	} {
		t.Run(name, func(t *testing.T) {
			f := &fake{turns: 1}
			a, d := open(f)
			fail(f, errors.New("the disk is gone"))
			d.Send(nil)
			if a.Failure().Message != "the disk is gone" || len(of[ui.Failed](d.Posted())) != 1 {
				t.Errorf("shown is %q", a.Failure().Message)
			}
			opened, surveyed := f.opened, f.surveyed
			if d.Send(nil); f.opened != opened || f.surveyed != surveyed {
				t.Error("it is tried again by itself")
			}
			fail(f, nil)
			a.Retry()
			d.Send(nil)
			if a.Failure() != (ui.Failure{}) || a.Overview() == nil {
				t.Errorf("still shown is %q", a.Failure().Message)
			}
		})
	}
}

func TestArchive_LateResultIsDropped(t *testing.T) {
	f := &fake{turns: 1}
	a, d := open(f)
	d.Hold = true
	d.Send(nil)
	late := d.Held
	if !a.Stop() || a.Waiting() != 0 {
		t.Error("opening is not stopped")
	}
	for _, cmd := range late {
		if msg := cmd(); msg != nil {
			d.Send(msg)
		}
	}
	if a.IsOpen() {
		t.Error("a late result opens it")
	}
}

func TestArchive_LimitIsCheckedUntilItEnds(t *testing.T) {
	f := &fake{turns: 1, limit: "read-only"}
	a, d := open(f)
	d.Hold = true
	d.Send(nil)
	step := func() {
		t.Helper()
		held := d.Held
		d.Held = nil
		for _, cmd := range held {
			switch msg := cmd().(type) {
			case nil:
			case tea.BatchMsg:
				d.Held = append(d.Held, msg...)
			default:
				d.Send(msg)
			}
		}
	}
	for range 4 {
		step()
	}
	if a.Limit() != "read-only" {
		t.Errorf("the limit is %q", a.Limit())
	}
	if got := of[ui.Notify](d.Posted()); len(got) != 1 || got[0] != "an import writes to it" {
		t.Errorf("it is said %d times: %q", len(got), got)
	}
	f.limit, f.turns = "", 2
	for range 4 {
		step()
	}
	if posted := d.Posted(); a.Limit() != "" || len(of[archive.Changed](posted)) != 1 || a.Overview().Turns != 2 {
		t.Errorf("the limit is %q, posted %v", a.Limit(), posted)
	}
	if step(); len(d.Held) > 0 {
		t.Error("it is checked on")
	}
}

// A lock makes another archive, which gets the check that the one before has begun.
func TestArchive_ChecksOfAnotherOneAreDropped(t *testing.T) {
	f := &fake{turns: 1, limit: "read-only"}
	_, before := open(f)
	_, d := open(f)
	before.Hold, d.Hold = true, true
	run := func(cmds []tea.Cmd) (msgs []tea.Msg) {
		for _, cmd := range cmds {
			if msg := cmd(); msg != nil {
				msgs = append(msgs, msg)
			}
		}
		return msgs
	}
	before.Send(nil)
	for range 2 { // opened, then surveyed with a check begun
		held := before.Held
		before.Held = nil
		late := run(held)
		before.Send(late...)
		d.Send(late...)
	}
	opening := len(d.Held)
	for range 3 {
		d.Send(run(before.Held)...)
	}
	if opening != 1 || len(d.Held) != 1 || len(of[ui.Notify](d.Posted())) > 0 {
		t.Errorf("%d commands of the other archive go on", len(d.Held)-opening)
	}
}
