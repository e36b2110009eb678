package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// writing is an archive whose turns can be exported.
type writing func(ctx context.Context, w io.Writer, file string, turns []uuid.UUID) error

func (w writing) FileTypes() string { return ".md or .csv" }

func (w writing) Write(ctx context.Context, to io.Writer, file string, turns []uuid.UUID) error {
	return w(ctx, to, file, turns)
}

// carrying returns an explorer that can export turns. It runs "over SSH", so that tests leave the clipboard alone.
func carrying(write writing, env ...string) *driver {
	e := newFake(300)
	if write == nil {
		write = func(_ context.Context, w io.Writer, file string, turns []uuid.UUID) error {
			if filepath.Ext(file) == ".csv" {
				fmt.Fprintln(w, "turn_id")
			}
			for _, id := range turns {
				fmt.Fprintln(w, "# turn", id)
			}
			return nil
		}
	}
	d := drive(Options{
		Archive: over(e), Export: write,
		Terminal: Terminal{
			Environ: append([]string{"TERM=xterm-256color", "LANG=en_US.UTF-8", "SSH_TTY=/dev/pts/9"}, env...),
		},
	}, 120, 40)
	return d.search("reqwest").keys("2 enter")
}

func TestCopy_CodeByTwoKeys(t *testing.T) {
	d := carrying(nil)
	d.keys("y c")
	d.mustShow(t, "Copied 4 lines")
	if !strings.HasPrefix(d.clipboard, "tokio::select! {") {
		t.Errorf("copied is %q", d.clipboard)
	}
	for d.reader.Opened().Next != nil && strings.Contains(d.reader.Opened().Assistant, "```") {
		d.keys("]")
	}
	d.keys("y c")
	d.mustShow(t, "No code in this turn")
}

func TestCopy_Menu(t *testing.T) {
	d := carrying(nil)
	d.keys("Y")
	d.mustShow(t, "Turn as Markdown", "Question", "Link: https://example.org/tower", "Code: tokio::select!")
	d.keys("q u e s t enter")
	if d.clipboard != d.reader.Opened().User {
		t.Errorf("copied is %q, not the question", d.clipboard)
	}
	d.keys("o enter")
	if d.clipboard != "https://example.org/tower" {
		t.Errorf("copied is %q, not the link", d.clipboard)
	}
	d.keys("2 g * * Y enter")
	if strings.Count(d.clipboard, "# turn") != 2 {
		t.Errorf("copied is %q, not the two marked turns", d.clipboard)
	}
}

func TestSave_TypedPath(t *testing.T) {
	d := carrying(nil)
	file := filepath.Join(t.TempDir(), "out.csv")
	d.keys("w").mustShow(t, "Save 1 turn", ".md or .csv")
	d.keys("ctrl+u")
	typing(d, file)
	d.keys("enter").mustShow(t, "Saved 1 turn to")
	want := "turn_id\n# turn " + d.reader.Opened().TurnID.String() + "\n"
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("the file contains %q (%v)", got, err)
	}
}

func TestSave_UnreadableTurn(t *testing.T) {
	d := carrying(func(context.Context, io.Writer, string, []uuid.UUID) error { return errors.New("the archive is gone") })
	d.keys("w enter")
	d.mustShow(t, "Couldn't save: the archive is gone")
	if _, err := os.Stat("lens-1970-01-01.md"); err == nil {
		t.Error("a file was left behind")
	}
	d.keys("Y enter")
	d.mustShow(t, "Couldn't copy: the archive is gone")
}
