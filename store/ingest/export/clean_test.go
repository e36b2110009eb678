package export

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestClean_LinesAcrossWrites(t *testing.T) {
	const markdown, clean = "a \u202e b \x1b[2J\nc\x7f", "a \\u202e b ␛[2J\nc␡"
	const lines, same = "\"\u202e\U000e0041\"\n", "\"\\u202e\\udb40\\udc41\"\n"
	for _, c := range []struct {
		name     string
		cleaning Cleaning
		in, want string
		opts     Options
	}{
		{"markdown to a terminal", CleanLines, markdown, clean, Options{Terminal: true}},
		{"even raw markdown to a terminal", CleanLines, markdown, clean, Options{Terminal: true, Raw: true}},
		{"markdown to a pipe", CleanLines, markdown, clean, Options{}},
		{"raw markdown to a pipe", CleanLines, markdown, markdown, Options{Raw: true}},
		{"JSON lines to a terminal", CleanJSON, lines, same, Options{Terminal: true}},
		{"JSON lines to a pipe", CleanJSON, lines, lines, Options{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			w := &lineCleaner{to: &out, clean: c.cleaning.ofLines(c.opts)}
			_, err := io.Copy(w, iotest.OneByteReader(strings.NewReader(c.in)))
			if err == nil {
				err = w.flush()
			}
			if got := out.String(); err != nil || got != c.want {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
		})
	}
}
