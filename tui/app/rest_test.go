package app

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"
)

// partial returns a driver that shows a partial result; the command that searches all texts is held back.
func partial(e *fakeEngine, query string, width, height int) *driver {
	e.few = 60
	d := explore(e, width, height).search("apple")
	d.hold = true
	return d.search(query).untilPartial()
}

// untilPartial runs commands that are held back until a partial result is shown.
func (d *driver) untilPartial() *driver { return d.until(d.finder.IsReadingRest) }

// until runs commands that are held back until something is done.
func (d *driver) until(done func() bool) *driver {
	for len(d.held) > 0 && !done() {
		cmd := d.held[0]
		d.held = d.held[1:]
		switch msg := cmd().(type) {
		case nil, tickMsg:
		case tea.BatchMsg:
			for _, c := range msg {
				d.enqueue(c)
			}
		default:
			_, next := d.Update(msg)
			d.enqueue(next)
		}
	}
	return d
}

// finish runs all commands.
func (d *driver) finish() *driver {
	d.hold, d.queue, d.held = false, d.held, nil
	d.work()
	return d
}

// chosenLine returns the line of the screen with the cursor of the list.
func (d *driver) chosenLine(t *testing.T) int {
	t.Helper()
	at := slices.IndexFunc(strings.Split(d.screen(), "\n"), func(line string) bool { return strings.HasPrefix(line, "▌") })
	if at < 0 {
		t.Fatalf("no line has the cursor:\n%s", d.screen())
	}
	return at
}

func TestPartial_IsReplacedInPlace(t *testing.T) {
	for _, size := range sizes[:2] {
		e := newFake(300)
		whole := explore(e, size.w, size.h).search(`"cancel"`).found.Peek.Histogram.Total
		d := partial(e, `"cancel"`, size.w, size.h)
		if n := d.found.Peek.Histogram.Total; n == 0 || n >= whole {
			t.Fatalf("at once, %d of %d are found", n, whole)
		}
		d.mustShow(t, "Reading the rest…").mustNotShow(t, "left out")
		d.keys("2 G k")
		chosen, line := d.results.Selected(), d.chosenLine(t)
		d.finish().mustNotShow(t, "Reading the rest", "left out")
		if d.found.Peek.Histogram.Total != whole {
			t.Errorf("in the end, %d of %d are found", d.found.Peek.Histogram.Total, whole)
		}
		if d.results.Selected() != chosen || d.reader.Wanted() != chosen {
			t.Errorf("the cursor went from %v to %v", chosen, d.results.Selected())
		}
		if got := d.chosenLine(t); got != line && got != line+1 { // the line of the notice is gone
			t.Errorf("the cursor went from line %d to line %d:\n%s", line, got, d.screen())
		}
		d.mustFill(t)
	}
}

func TestPartial_CanceledOrFailedStays(t *testing.T) {
	for name, end := range map[string]func(*driver, *fakeEngine){
		"canceled": func(d *driver, _ *fakeEngine) { d.keys("ctrl+c").finish() },
		"failed": func(d *driver, e *fakeEngine) {
			e.before = func(context.Context, string) error { return errors.New("the disk is gone") }
			d.finish()
		},
	} {
		e := newFake(300)
		d := partial(e, `"cancel"`, 120, 40)
		found := d.found.Peek
		end(d, e)
		d.mustShow(t, leftOut)
		asked := 0
		e.before = func(_ context.Context, call string) error {
			if call != "turn" && call != "path" {
				asked++
			}
			return nil
		}
		if d.keys("2 j k"); d.found.Peek != found || asked > 0 {
			t.Errorf("%s: it is asked for again: %d", name, asked)
		}
		e.before = nil
		if d.keys("ctrl+l"); d.found.IsPartial() {
			t.Errorf("%s: ctrl+l does not search again", name)
		}
	}
}

func TestPartial_RestoresTheTurnOfTheRest(t *testing.T) {
	e := newFake(300)
	d := explore(e, 120, 40).search(`"cancel"`).keys("2 G")
	chosen := d.results.Selected()
	e.few = 60
	d = again(t, d, e)
	if sought, _ := d.results.Pending(); d.results.Selected() != chosen || sought != uuid.Nil {
		t.Errorf("the cursor is on %v, want %v", d.results.Selected(), chosen)
	}
}

func TestPartial_WithoutAMatchSaysNothingYet(t *testing.T) {
	e := newFake(300)
	d := partial(e, `"no such thing"`, 120, 40)
	d.mustNotShow(t, "No matches", "Did you mean")
	d.finish().mustShow(t, "No matches")
	e = newFake(300)
	d = partial(e, "-django", 120, 40)
	if n := d.results.Len(); n == 0 || n > 60 {
		t.Errorf("%d are listed", n)
	}
	e.notice = "Common words are not indexed, so all texts were searched."
	d.finish().mustShow(t, e.notice)
	if n := d.found.Peek.Histogram.Total; n != 300 {
		t.Errorf("%d turns are listed", n)
	}
}
