package export_test

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/export"
)

// hostileTurns are turns with texts that attack a terminal, a browser, a spreadsheet or a parser.
func hostileTurns() []store.Turn {
	at := time.Date(2024, 2, 29, 23, 59, 30, 500_000_000, time.UTC)
	turns := []store.Turn{
		{
			Title: "Rye & <b>wheat</b>", Model: "gpt-4", Time: at, UserText: "What\nis \"rye\"?",
			AssistantText: "# Rye\n\nA *grain*, `Secale`:\n\n```html\n<script>alert(1)</script>\n```\n\n" +
				"| a | b |\n|---|:-:|\n| 1 | 2 |\n",
			Summary: "On rye.",
		},
		{
			Title: "=HYPERLINK(\"http://evil.example\")", Model: "@model", Time: at.Add(time.Minute),
			UserText: " \t=1+1", AssistantText: "- a list\n- [x] done\n\n1. one", Summary: "+1",
		},
		{
			Title: "]]>--><script>alert(1)</script>", Model: "<i>", Time: at.Add(2 * time.Minute),
			UserText: "</div><script>alert(1)</script> ]]> <!-- & &lt;",
			AssistantText: "<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n" +
				"[bad](javascript:alert(1)) [data](data:text/html,x) [file](sandbox:/mnt/data/a.csv)\n" +
				"[good](https://example.org/?a=1&b=\"2\")\n\n" +
				"![a picture](https://example.org/p.png) ![](https://example.org/q.png)\n" +
				"[![in](https://a.example/i.png)](https://b.example)\n\n" +
				"<javascript:alert(1)> <me@example.org> https://example.org/auto &#27;[2J &rlm;",
		},
		{
			Title: "\x1b]0;owned\x07\u009b31m\u202egnp.exe", Time: at.Add(3 * time.Minute),
			UserText:      "nul \x00 esc \x1b[2J bell \x07 cr \r crlf \r\nsep \u2028 par \u2029 end",
			AssistantText: "שלום, world \u202eabc\u202c",
		},
		{
			Title: "", Time: at.AddDate(0, 1, 1), UserText: "An open fence", AssistantText: "```go\nfunc main() {\n",
		},
		{Title: "Abandoned", Time: at.AddDate(0, 1, 1), UserText: "'quoted', \"doubly\"", AssistantText: ""},
		{Title: "Notes", Source: store.Documents, UserText: "Bread › Rye", AssistantText: "A passage\\.\nof a *document*."},
	}
	for i := range turns {
		t := &turns[i]
		t.ID = uuid.UUID{0xaa, 15: byte(i)}
		t.UserMessage, t.Conversation = uuid.UUID{0xbb, 15: byte(i)}, uuid.UUID{0xcc, 15: byte(i / 2)}
		if t.AssistantText != "" {
			t.Assistant = uuid.UUID{0xdd, 15: byte(i)}
		}
		if t.Source == "" {
			t.Source = store.ChatGPT
		}
		t.OnPath = t.Title != "Abandoned"
	}
	return turns
}

func each(turns ...store.Turn) iter.Seq2[store.Turn, error] {
	return func(yield func(store.Turn, error) bool) {
		for _, t := range turns {
			if !yield(t, nil) {
				return
			}
		}
	}
}

// write returns what a format makes of turns.
func write(t testing.TB, f export.Format, opts export.Options, turns ...store.Turn) string {
	t.Helper()
	var out strings.Builder
	n, err := f.Write(t.Context(), &out, each(turns...), opts)
	if err != nil || n != len(turns) {
		t.Fatalf("%s: %d turns, %v", f.Name, n, err)
	}
	return out.String()
}

// numbered returns n turns with a text of their own, in three months.
func numbered(n int) []store.Turn {
	turns := make([]store.Turn, n)
	for i := range turns {
		turns[i] = store.Turn{
			ID: uuid.NewSHA1(uuid.Nil, fmt.Append(nil, i)), Title: "Numbers", OnPath: true,
			Time:     time.Date(2024, 1, 1, 0, i*90*24*60/n, 0, 0, time.UTC),
			UserText: fmt.Sprintf("question%dend", i), AssistantText: fmt.Sprintf("answer%dend", i),
		}
	}
	return turns
}

var errFull = errors.New("no space left on device")

// fullDisk takes some bytes and fails after them.
type fullDisk struct{ room int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if len(p) > d.room {
		n := d.room
		d.room = 0
		return n, errFull
	}
	d.room -= len(p)
	return len(p), nil
}
