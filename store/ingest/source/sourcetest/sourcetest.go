// Package sourcetest checks the parsers of formats. What it checks holds for every one of them: invariants of the
// conversations, errors that a person can act on, ids that stay when a file grows, and the turns of the fixtures beside
// the repository.
package sourcetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Parse reads data as a file called name. It returns the conversations and the reasons of those that were left out.
// Any other error, and a conversation that violates an invariant, fail the test.
func Parse(tb testing.TB, f *source.Format, name, data string) (all []*chat.Parsed, skipped []string) {
	tb.Helper()
	for p, err := range f.Read(&source.File{Reader: strings.NewReader(data), Name: name}) {
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

// Read returns the content of a file.
func Read(tb testing.TB, path string) string {
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

// Shared compares the turns on the active path with those that a fixture in ../shared/data/exports/sources expects. It
// skips where that is absent.
func Shared(t *testing.T, f *source.Format, variant string) {
	t.Helper()
	t.Run(variant, func(t *testing.T) {
		dir := testenv.Shared(t, "exports/sources/"+variant)
		var expected struct {
			File  string
			Turns []struct {
				User, Assistant string
				Created         *time.Time `json:"create_time"`
				Title           *string
			}
		}
		testenv.Must(t, json.Unmarshal([]byte(Read(t, filepath.Join(dir, "expected.json"))), &expected))
		var got, want []string
		for _, turn := range expected.Turns {
			line := fmt.Sprintf("%q -> %q", turn.User, turn.Assistant)
			if turn.Created != nil {
				line = when(turn.Created.UTC()) + " " + line
			}
			if turn.Title != nil {
				line += " in " + *turn.Title
			}
			want = append(want, line)
		}
		all, _ := Parse(t, f, expected.File, Read(t, filepath.Join(dir, filepath.FromSlash(expected.File))))
		for _, p := range all {
			for i := range p.Turns {
				if p.Turns[i].OnPath {
					got = append(got, "")
				}
				if n := len(got) - 1; p.Turns[i].OnPath && n < len(expected.Turns) {
					got[n] = outline(p, &p.Turns[i], expected.Turns[n].Created != nil, expected.Turns[n].Title != nil)
				}
			}
		}
		Equal(t, got, want)
	})
}

// outline leaves out what a fixture says nothing of.
func outline(p *chat.Parsed, t *store.Turn, dated, titled bool) string {
	line := fmt.Sprintf("%q -> %q", t.UserText, t.AssistantText)
	if dated {
		line = when(t.Time) + " " + line
	}
	if titled {
		line += " in " + p.Title
	}
	return line
}

// Grows checks that all messages, turns and conversations of a file are also those of the file that it has grown to.
func Grows(t *testing.T, f *source.Format, name, before, after string) {
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

// Fuzz fuzzes a format's reader, and that telling the format never fails.
func Fuzz(f *testing.F, format *source.Format, name string, seeds ...string) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
		f.Add([]byte(seed[:len(seed)*2/3]))
	}
	f.Add([]byte(`[`))
	f.Add([]byte("{\"a\":\"\xff\\ud800\"}\n[null,3]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := source.NewSample(name, int64(len(data)), bytes.NewReader(data))
		testenv.Must(t, err)
		format.Matches(s)
		for p, err := range format.Read(&source.File{Reader: bytes.NewReader(data), Name: name}) {
			var skip *chat.Skip
			var failed *errs.Error
			switch {
			case err == nil:
				if err := p.Check(); err != nil {
					t.Error(err)
				}
			case errors.As(err, &skip) && skip.Reason != "", errors.As(err, &failed) && failed.Hint != "":
			default:
				t.Errorf("a person cannot act on the error %v", err)
			}
		}
	})
}
