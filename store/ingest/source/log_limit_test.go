package source

import (
	"errors"
	"strings"
	"testing"

	"lens/internal/errs"
	"lens/store"
	"lens/store/ingest/chat"
)

// prompts is a log of prompts.
type prompts struct{ Session }

func (p *prompts) Record(raw []byte) { p.Add("", p.Count.Speech(store.User, string(raw), raw)) }

func (p *prompts) Draft() *chat.Draft { return &p.Session.Draft }

// TestReadsLog_Limit: a log without an end takes a bounded amount of memory. What came before the limit is kept.
func TestReadsLog_Limit(t *testing.T) {
	const limit = 100_000
	for name, c := range map[string]struct {
		line   string
		failed bool
		turns  int // at most
	}{
		"words":         {`{"a":"` + strings.Repeat("x", 1000) + `"}`, true, limit / 2000},
		"small records": {`{}`, true, limit / 256},
		"other lines":   {`x`, true, 0},
		"empty lines":   {``, false, 0},
	} {
		file := &File{Reader: strings.NewReader(strings.Repeat(c.line+"\n", limit/100))}
		turns := 0
		var last error
		read := readsLog("test: read", func(*File) Log { return &prompts{Session{Draft: chat.Draft{ID: "s"}}} }, limit)
		for p, err := range read(file) {
			if last = err; err == nil {
				turns += len(p.Turns)
			}
		}
		var failed *errs.Error
		if errors.As(last, &failed) != c.failed || c.failed && failed.Code != errs.TooLarge {
			t.Errorf("%s: got %v", name, last)
		}
		if turns > c.turns || turns < c.turns*9/10 {
			t.Errorf("%s: %d turns, want %d", name, turns, c.turns)
		}
	}
}
