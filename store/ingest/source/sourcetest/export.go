package sourcetest

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/testenv"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Parse reads data as a file called name. It returns the conversations and the reasons of those that were left out.
// Any other error, and a conversation that violates an invariant, fail the test.
func Parse(tb testing.TB, f *source.Format, name, data string) (all []*chat.Parsed, skipped []string) {
	tb.Helper()
	for p, err := range f.Read(open(name, data)) {
		var skip *chat.Skip
		if errors.As(err, &skip) {
			skipped = append(skipped, skip.Reason)
			continue
		}
		testenv.Must(tb, err)
		if err := p.Check(); err != nil {
			tb.Error(err)
		}
		if p.Source != f.Source {
			tb.Errorf("%s: a conversation from %s", f.Name, p.Source)
		}
		all = append(all, p)
	}
	return all, skipped
}

// Outline returns conversations in words: their titles, and below each its turns. Those off the active path begin with
// "off".
func Outline(all []*chat.Parsed) (lines []string) {
	for _, p := range all {
		lines = append(lines, p.Title)
		for i := range p.Turns {
			t := &p.Turns[i]
			line := fmt.Sprintf("%s %q -> %q", when(t.Time), t.UserText, t.AssistantText)
			if !t.OnPath {
				line = "off " + line
			}
			if t.Model != "" {
				line += " by " + t.Model
			}
			lines = append(lines, line)
		}
	}
	return lines
}

func when(t time.Time) string {
	if t.IsZero() {
		return "undated"
	}
	return t.Format(time.RFC3339Nano)
}

// File returns the content of a file.
func File(tb testing.TB, path string) string {
	tb.Helper()
	data, err := os.ReadFile(path)
	testenv.Must(tb, err)
	return string(data)
}

// Equal compares lines.
func Equal(tb testing.TB, got, want []string) {
	tb.Helper()
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		tb.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

// Grown checks that all messages, turns and conversations of a file are also those of the file that it has grown to.
func Grown(t *testing.T, f *source.Format, name, before, after string) {
	t.Helper()
	was, is := idsOf(t, f, name, before), idsOf(t, f, name, after)
	if len(was) == 0 || len(is) <= len(was) {
		t.Errorf("%d ids became %d", len(was), len(is))
	}
	for id, of := range was {
		if is[id] != of {
			t.Errorf("%s %s is not in the grown file", of, id)
		}
	}
}

func idsOf(t *testing.T, f *source.Format, name, data string) map[uuid.UUID]string {
	t.Helper()
	ids := make(map[uuid.UUID]string)
	all, _ := Parse(t, f, name, data)
	for _, p := range all {
		ids[p.ID] = "conversation"
		for i := range p.Messages {
			ids[p.Messages[i].ID] = "message"
		}
		for i := range p.Turns {
			ids[p.Turns[i].ID] = "turn"
		}
	}
	return ids
}
