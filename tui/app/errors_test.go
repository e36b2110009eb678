package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"lens/internal/errs"
	"lens/tui/ui"
)

func TestErrors_HaveDetails(t *testing.T) {
	e := newFake(100)
	fail := true
	e.before = func(_ context.Context, call string) error {
		if fail && strings.HasPrefix(call, "peek") {
			return errors.New("retrieval: peek: sqlite: postings: disk \x1b]52;c;ZXZpbA==\x07I/O error")
		}
		return nil
	}
	d := drive(Options{
		Archive: over(e), Paths: Paths{Log: "/data/lens.log"},
		Explain: func(error) (string, string) { return "the disk cannot be read", "try another disk" },
	}, 100, 30)
	d.keys("E").mustShow(t, "No errors")
	d.search("x").mustShow(t, "error: the disk cannot be read", "E details")
	d.keys("ctrl+l E").mustShow(t,
		"Errors",
		"searching, 2 times",
		"the disk cannot be read",
		"internal",
		"try another disk",
		"postings: disk",
		"/data/lens.log",
	)
	d.mustBeHarmless(t)
	d.keys("q")
	if fail = false; d.dialogs.IsOpen() {
		t.Fatal("the errors are still open")
	}
	d.search("cancel").mustShow(t, "▌ ●")
}

func TestErrors_LongNoticeKeepsItsHint(t *testing.T) {
	d := explore(newFake(10), 60, 20)
	d.ui.Post(ui.Failed{
		Doing: "importing", Said: "Couldn't finish importing", Err: errors.New(strings.Repeat("very long ", 20) + "finis"),
	})
	d.send(nil)
	d.mustShow(t, "Couldn't finish importing: very long", "… · E for details")
	d.keys("E").mustShow(t, "importing", "finis")
}

func TestErrors_MissingArchiveIsNone(t *testing.T) {
	d := drive(Options{Archive: broken(errNotThere)}, 100, 30)
	d.mustShow(t, "Your archive is empty")
	d.keys("E").mustShow(t, "No errors")
}

var errNotThere = &errs.Error{Code: errs.NotFound, Message: "there is no archive"}

// Each explanation may be logged, under a number of its own: the pane and the list must have the same.
func TestErrors_UnreadableTurnIsExplainedOnce(t *testing.T) {
	e := newFake(100)
	e.before = func(_ context.Context, call string) error {
		if strings.HasPrefix(call, "turn") {
			return errors.New("the block is damaged")
		}
		return nil
	}
	explained := 0
	d := drive(Options{Archive: over(e), Explain: func(error) (message, hint string) {
		explained++
		return fmt.Sprint("trace ", explained), ""
	}}, 100, 30)
	d.search("cancel").mustShow(t, "Can't read this turn", "trace 1")
	d.keys("E").mustShow(t, "reading a turn", "trace 1")
	if explained != 1 {
		t.Errorf("explained %d times", explained)
	}
}
