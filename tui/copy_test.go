package tui

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

// carrying returns an explorer that can export turns. It runs "over SSH", so that tests leave the clipboard alone.
func carrying(write func(context.Context, io.Writer, string, []uuid.UUID) error, env ...string) *driver {
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
		Open: func(context.Context) (Engine, error) { return e, nil }, Write: write,
		FileTypes: ".md or .csv",
		Environ:   append([]string{"TERM=xterm-256color", "LANG=en_US.UTF-8", "SSH_TTY=/dev/pts/9"}, env...),
	}, 120, 40)
	return d.search("reqwest").keys("2 enter")
}

func TestCopy_CodeByTwoKeys(t *testing.T) {
	d := carrying(nil)
	d.keys("y")
	d.mustShow(t, "y…")
	d.keys("c")
	d.mustShow(t, "Copied 4 lines")
	if !strings.HasPrefix(d.clipboard, "tokio::select! {") {
		t.Errorf("copied is %q", d.clipboard)
	}
	for d.reader.Opened().Next != nil && strings.Contains(d.reader.Opened().Assistant, "```") {
		d.keys("J")
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
	d.keys("2 g space space Y enter")
	if strings.Count(d.clipboard, "# turn") != 2 {
		t.Errorf("copied is %q, not the two marked turns", d.clipboard)
	}
}

func TestSave_NeverOverwrites(t *testing.T) {
	d := carrying(nil)
	file := filepath.Join(t.TempDir(), "out.md")
	write := func(path string) {
		d.keys("w ctrl+u")
		for _, r := range path {
			d.keys(string(r))
		}
		d.keys("enter")
	}
	write(file)
	d.mustShow(t, "Saved 1 turn to")
	got, err := os.ReadFile(file)
	if err != nil || string(got) != "# turn "+d.reader.Opened().TurnID.String()+"\n" {
		t.Fatalf("the file contains %q (%v)", got, err)
	}
	if info, _ := os.Stat(file); info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v", info.Mode())
	}
	write(file)
	d.mustShow(t, " exists. Choose another name")
	write(filepath.Join(file, "not", "a", "folder.md"))
	d.mustShow(t, "Couldn't save")
}

func TestSave_FormatByExtension(t *testing.T) {
	d := carrying(nil)
	d.keys("w")
	d.mustShow(t, "Save 1 turn", ".md or .csv")
	d.keys("ctrl+u")
	file := filepath.Join(t.TempDir(), "out.csv")
	for _, r := range file {
		d.keys(string(r))
	}
	d.keys("enter")
	d.mustShow(t, "Saved 1 turn to")
	if got, err := os.ReadFile(file); err != nil || string(got) != "turn_id\n# turn "+d.reader.Opened().TurnID.String()+"\n" {
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

func TestEditor_PrivateFileIsRemoved(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	d := carrying(nil, "EDITOR=true --wait", "VISUAL=")
	msg, ok := d.openEditor()().(handMsg)
	if !ok || msg.err != nil {
		t.Fatalf("e answers %+v", msg)
	}
	args := msg.run.Args
	file := args[len(args)-1]
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 || args[0] != "true" || args[1] != "--wait" {
		t.Fatalf("%v: %v, %v", args, info, err)
	}
	msg.done()
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) != 0 {
		t.Errorf("%v is left", left)
	}
}

func TestPager_ReadsFromAPipe(t *testing.T) {
	d := carrying(nil, "PAGER=cat -")
	msg, ok := d.openPager()().(handMsg)
	if !ok || msg.err != nil || len(msg.run.Args) != 2 {
		t.Fatalf("| answers %+v", msg)
	}
	out, err := io.ReadAll(msg.run.Stdin)
	if err != nil || !strings.HasPrefix(string(out), "# turn") {
		t.Errorf("the pager reads %q (%v)", out, err)
	}
}
