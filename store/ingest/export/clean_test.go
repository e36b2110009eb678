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
		format   Format
		in, want string
		opts     Options
	}{
		{"markdown to a terminal", Markdown, markdown, clean, Options{Terminal: true}},
		{"even raw markdown to a terminal", Markdown, markdown, clean, Options{Terminal: true, Raw: true}},
		{"markdown to a pipe", Markdown, markdown, clean, Options{}},
		{"raw markdown to a pipe", Markdown, markdown, markdown, Options{Raw: true}},
		{"JSON lines to a terminal", JSONL, lines, same, Options{Terminal: true}},
		{"JSON lines to a pipe", JSONL, lines, lines, Options{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			w := &lineCleaner{to: &out, clean: c.format.lineCleaning(c.opts)}
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
