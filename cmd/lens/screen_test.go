package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"lens/cmd/internal/app"
)

// fakeScreen is a terminal whose output can be read.
func fakeScreen(t *testing.T) (s *screen, printed func() string) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "screen"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return &screen{file: file, terminal: true, width: 80, color: true}, func() string {
		content, err := os.ReadFile(file.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
}

func TestScreen_ASCIIByLocale(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{nil, false},
		{map[string]string{"LANG": "C"}, true},
		{map[string]string{"LANG": "C.UTF-8"}, false},
		{map[string]string{"LANG": "de_DE.utf8"}, false},
		{map[string]string{"LANG": "de_DE.UTF-8", "LC_ALL": "POSIX"}, true},
		{map[string]string{"LANG": "de_DE.UTF-8", "TERM": "linux"}, true},
	} {
		if got := knowsOnlyASCII(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: %v", c.env, got)
		}
	}
}

func TestProgress_ShowsRateAndTime(t *testing.T) {
	s, printed := fakeScreen(t)
	g := &gauge{screen: s, title: "importing", bytes: true}
	g.tell(app.Progress{Done: 0, Total: 100 << 20})
	time.Sleep(120 * time.Millisecond)
	g.tell(app.Progress{Done: 25 << 20, Total: 100 << 20})
	g.end()
	for _, want := range []string{"importing", "25%", "MB/s", "s]"} {
		if !strings.Contains(printed(), want) {
			t.Errorf("%q is not in %q", want, printed())
		}
	}
	if !strings.HasSuffix(printed(), "\x1b[2K\r") && !strings.HasSuffix(printed(), "\r") {
		t.Errorf("the line is not erased: %q", printed())
	}
}

func TestProgress_StillScreen(t *testing.T) {
	s, printed := fakeScreen(t)
	s.still = true
	g := &gauge{screen: s, title: "importing"}
	g.tell(app.Progress{Done: 1, Total: 2})
	g.end()
	if printed() != "" {
		t.Errorf("got %q", printed())
	}
}

func TestDocument_CleanedAcrossWrites(t *testing.T) {
	const markdown, clean = "a \u202e b \x1b[2J\nc\x7f", "a \\u202e b ␛[2J\nc␡"
	const lines, same = "\"\u202e\U000e0041\"\n", "\"\\u202e\\udb40\\udc41\"\n"
	for _, c := range []struct {
		name, format, in, want string
		terminal, raw          bool
	}{
		{"markdown to a terminal", app.Markdown, markdown, clean, true, false},
		{"even raw markdown to a terminal", app.Markdown, markdown, clean, true, true},
		{"markdown to a pipe", app.Markdown, markdown, clean, false, false},
		{"raw markdown to a pipe", app.Markdown, markdown, markdown, false, true},
		{"JSON lines to a terminal", app.JSONL, lines, same, true, false},
		{"JSON lines to a pipe", app.JSONL, lines, lines, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, printed := fakeScreen(t)
			s.terminal = c.terminal
			err := writeDocument(s, c.format, c.raw, func(w io.Writer) error {
				_, err := io.Copy(w, iotest.OneByteReader(strings.NewReader(c.in)))
				return err
			})
			if got := printed(); err != nil || got != c.want {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
		})
	}
}

func TestScreen_JSONOnTerminal(t *testing.T) {
	s, printed := fakeScreen(t)
	if err := s.json(map[string]string{"a": "\u009b\u202e\x7f\U000e0041<b>"}); err != nil {
		t.Fatal(err)
	}
	if got := printed(); got != "{\n  \"a\": \"\\u009b\\u202e\\u007f\\udb40\\udc41<b>\"\n}\n" {
		t.Errorf("got %q", got)
	}
}

func TestScreen_NoColor(t *testing.T) {
	s, _ := fakeScreen(t)
	if s.bold("x") == "x" {
		t.Error("bold has no style, though color is on")
	}
	s.color = false
	for _, got := range []string{s.bold("x"), s.faint("x"), s.warn("x"), s.alarm("x")} {
		if got != "x" {
			t.Errorf("got %q", got)
		}
	}
}
