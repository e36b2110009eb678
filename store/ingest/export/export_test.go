package export_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"lens/store"
	"lens/store/ingest/export"
)

// eachFormat runs a test for every format.
func eachFormat(t *testing.T, test func(t *testing.T, f export.Format)) {
	for _, f := range export.Formats {
		t.Run(f.Name, func(t *testing.T) { test(t, f) })
	}
}

func TestFormats_Golden(t *testing.T) {
	eachFormat(t, func(t *testing.T, f export.Format) {
		golden.RequireEqual(t, write(t, f, export.Options{}, hostileTurns()...))
	})
}

func TestFormats_EveryTurnOnceInOrder(t *testing.T) {
	turns := numbered(300)
	eachFormat(t, func(t *testing.T, f export.Format) {
		out := write(t, f, export.Options{}, turns...)
		at := 0
		for _, turn := range turns {
			for _, text := range []string{turn.UserText, turn.AssistantText} {
				if n := strings.Count(out, text); n != 1 {
					t.Fatalf("%q is in the output %d times", text, n)
				}
				if i := strings.Index(out, text); i < at {
					t.Fatalf("%q comes too early", text)
				} else {
					at = i
				}
			}
			if !strings.Contains(out, turn.ID.String()) {
				t.Fatalf("the id of %q is missing", turn.UserText)
			}
		}
	})
}

func TestFormats_NoControlCharacters(t *testing.T) {
	eachFormat(t, func(t *testing.T, f export.Format) {
		for _, opts := range []export.Options{{}, {Terminal: true}, {Terminal: true, Raw: true}} {
			out := write(t, f, opts, hostileTurns()...)
			for i, r := range out {
				if f.EscapesControls && !opts.Terminal && r >= 0x80 { // JSON escapes only C0
					continue
				}
				if r < ' ' && r != '\n' && r != '\t' || 0x7f <= r && r <= 0x9f || 0x202a <= r && r <= 0x202e {
					t.Fatalf("%+v: %q at byte %d", opts, r, i)
				}
			}
		}
	})
}

func TestFormats_NoTurns(t *testing.T) {
	eachFormat(t, func(t *testing.T, f export.Format) { write(t, f, export.Options{}) })
}

func TestFormats_FailedWrite(t *testing.T) {
	turns := numbered(3000)
	eachFormat(t, func(t *testing.T, f export.Format) {
		whole := len(write(t, f, export.Options{}, turns...))
		for _, room := range []int{0, 1, whole / 2, whole - 1} {
			n, err := f.Write(t.Context(), &fullDisk{room}, each(turns...), export.Options{})
			if !errors.Is(err, errFull) || !strings.HasPrefix(err.Error(), "cannot write the export: ") {
				t.Errorf("after %d of %d bytes: %v", room, whole, err)
			}
			if room < whole/2 && n > len(turns)*2/3 {
				t.Errorf("after %d of %d bytes: %d turns were read", room, whole, n)
			}
		}
	})
}

func TestFormats_FailedRead(t *testing.T) {
	failed := errors.New("the archive is gone")
	turns := func(yield func(store.Turn, error) bool) {
		_ = yield(numbered(1)[0], nil) && yield(store.Turn{}, failed)
	}
	eachFormat(t, func(t *testing.T, f export.Format) {
		n, err := f.Write(t.Context(), io.Discard, turns, export.Options{})
		if err != failed || n != 1 { //nolint:errorlint // the error itself
			t.Errorf("%d turns, %v", n, err)
		}
	})
}

func TestFormats_Canceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	eachFormat(t, func(t *testing.T, f export.Format) {
		n, err := f.Write(ctx, io.Discard, each(numbered(2)...), export.Options{})
		if !errors.Is(err, context.Canceled) || n != 0 {
			t.Errorf("%d turns, %v", n, err)
		}
	})
}

func TestList(t *testing.T) {
	var names, extensions []string
	for _, f := range export.Formats {
		if f.Name == "" || f.Description == "" || !strings.HasPrefix(f.Extension, ".") {
			t.Errorf("%+v", f)
		}
		names, extensions = append(names, f.Name), append(extensions, strings.ToLower(f.Extension))
		if got, ok := export.Formats.Named(f.Name); !ok || got.Name != f.Name {
			t.Errorf("%s: found %q, %v", f.Name, got.Name, ok)
		}
		if got, ok := export.Formats.OfFile("a.b" + strings.ToUpper(f.Extension)); !ok || got.Name != f.Name {
			t.Errorf("%s: found %q, %v", f.Extension, got.Name, ok)
		}
	}
	for _, all := range [][]string{names, extensions} {
		slices.Sort(all)
		if len(slices.Compact(all)) != len(export.Formats) {
			t.Errorf("%q are not unique", all)
		}
	}
	if _, ok := export.Formats.Named("docx"); ok {
		t.Error("docx is a format")
	}
	for _, file := range []string{"", "a", "csv", ".", "a.docx", "a.csv/b"} {
		if f, ok := export.Formats.OfFile(file); ok {
			t.Errorf("%q is a file of %s", file, f.Name)
		}
	}
	two := export.List{export.JSONL, export.Markdown}
	if got := fmt.Sprint(two[:1].Names(), "; ", two.Names(), "; ", two.Extensions(), "; ", two.Help()); got !=
		"jsonl; jsonl or md; .jsonl or .md; jsonl (one line per turn) or md (a document)" {
		t.Errorf("got %q", got)
	}
}

// What follows a failed export in the same stream, such as its error, must begin on a line of its own.
func TestJSONL_FailedReadEndsALine(t *testing.T) {
	for _, n := range []int{0, 1, 400} {
		var out strings.Builder
		turns := numbered(n)
		_, err := export.JSONL.Write(t.Context(), &out, func(yield func(store.Turn, error) bool) {
			for _, turn := range turns {
				if !yield(turn, nil) {
					return
				}
			}
			yield(store.Turn{}, errors.New("the disk fails"))
		}, export.Options{})
		if err == nil || strings.Count(out.String(), "\n") != n || n > 0 && !strings.HasSuffix(out.String(), "}\n") {
			t.Errorf("%d turns: %d lines, %v", n, strings.Count(out.String(), "\n"), err)
		}
	}
}
