package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lens/cmd/internal/archive"
	"lens/retrieval"
)

// In ASCII, what Lens adds to texts is ASCII, as in the explorer.
func TestScreen_ASCII(t *testing.T) {
	out, _ := fakeScreen(t)
	out.color, out.ascii = false, true
	got := out.line("a rather long line", 10) + " " + out.warn("No turn has “opruimen”.")
	got += peakCaption(out, retrieval.Peak{Title: "Stew"})
	if want := `a rather.. No turn has "opruimen".: mostly in "Stew"`; got != want {
		t.Errorf("it prints %q, want %q", got, want)
	}
	about := aboutTopic(out, retrieval.AboutTopic{
		Label: "Docker", Turns: 9, Conversations: 2, Mostly: &retrieval.AboutTitle{Title: "An interview", Turns: 8},
	})
	if want := `(9 turns in 2 chats): Docker, mostly "An interview" (8)`; about != want {
		t.Errorf("it prints %q, want %q", about, want)
	}
}

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
	bar := &progressBar{screen: s, title: "importing", bytes: true}
	bar.show(archive.Progress{Done: 0, Total: 100 << 20})
	time.Sleep(120 * time.Millisecond)
	bar.show(archive.Progress{Done: 25 << 20, Total: 100 << 20})
	bar.erase()
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
	bar := &progressBar{screen: s, title: "importing"}
	bar.show(archive.Progress{Done: 1, Total: 2})
	bar.erase()
	if printed() != "" {
		t.Errorf("got %q", printed())
	}
}

func TestScreen_JSONOnTerminal(t *testing.T) {
	s, printed := fakeScreen(t)
	if err := s.json(map[string]string{"a": "\u009b\u202e\x7f\U000e0041<b>"}); err != nil {
		t.Fatal(err)
	}
	s.printDocument()
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
