package app

import (
	"crypto/sha256"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/agent"
	"lens/cmd/internal/config"
	"lens/internal/errs"
	"lens/internal/sandbox"
	"lens/retrieval"
	"lens/retrieval/offline"
)

// pinned saves a conversation about a turn, with one pinned answer and one that is not.
func pinned(t *testing.T, l *App, m retrieval.Match) {
	t.Helper()
	cites := []agent.Citation{{N: 3, TurnID: m.TurnID.String()}, {N: 4, TurnID: "no id"}}
	must(t, l.Chats().Keep(agent.Session{ID: chatID, Exchanges: []agent.Exchange{
		{Question: "how?", Answer: "slowly [3]", Citations: cites},
		{
			Question: "how often?", Answer: "twice [3]", Asked: time.Date(2024, 5, 2, 0, 0, 0, 0, time.UTC), Citations: cites,
			Conclusion: true,
		},
	}}))
}

// pinnedDemo returns the demo with such a conversation, and the turn that it is about.
func pinnedDemo(t *testing.T) (*App, retrieval.Match) {
	t.Helper()
	l := newLens(t, config.Config{})
	importDemo(t, l)
	engine, err := l.Engine(t.Context())
	must(t, err)
	p, err := engine.Peek(t.Context(), "sourdough", retrieval.PeekOptions{})
	must(t, err)
	pinned(t, l, p.Matches[0])
	return l, p.Matches[0]
}

// passing lists prefixes of files that come and go, or change with every decision: the audit log, whose head is in the
// archive's write-ahead log, and locks.
var passing = []string{"audit.", "lens.db-", "lens.writer"}

// filesOf returns the files below a folder, except those.
func filesOf(t *testing.T, dir string) map[string]any {
	t.Helper()
	all := map[string]any{}
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if d != nil && slices.ContainsFunc(passing, func(name string) bool { return strings.HasPrefix(d.Name(), name) }) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		all[path] = [2]any{sha256.Sum256(content), info.ModTime()}
		return err
	}))
	return all
}

func TestConclusions_PinnedAnswers(t *testing.T) {
	l, m := pinnedDemo(t)
	o := l.Offline(true)
	sealed := func() (sandbox.Evidence, error) { return sandbox.Evidence{Mechanism: sandbox.Seccomp, Probes: 4}, nil }
	o.here = offline.New(offline.Options{
		Archive: l.offlineArchive, Audit: l.Audit(), Conclusions: ledger{l},
		Verify: sealed,
	})
	before := filesOf(t, l.cfg.DataDir)
	a, err := o.Answer(t.Context(), []OfflineHit{{ChunkID: m.TurnID}}, "what about bread?", offline.AnswerOptions{})
	if err != nil || len(a.Conclusions) != 1 {
		t.Fatalf("got %+v, %v", a, err)
	}
	c := a.Conclusions[0]
	if !strings.HasPrefix(c.Text, "twice [") || c.At.Year() != 2024 ||
		!reflect.DeepEqual(c.Turns, []uuid.UUID{m.TurnID}) || c.Citations[0].ChunkID != m.TurnID {
		t.Errorf("got conclusions %+v", c)
	}
	if after := filesOf(t, l.cfg.DataDir); len(before) < 2 || !reflect.DeepEqual(before, after) {
		t.Errorf("before %v, after %v", before, after)
	}
	_, err = l.Forget(t.Context(), ForgetOptions{Conversations: []uuid.UUID{m.Conversation}})
	must(t, err)
	if all, err := (ledger{l}).Conclusions(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("after forgetting: got %+v, %v", all, err)
	}
}

func TestConclusions_LockedArchive(t *testing.T) {
	l, _ := pinnedDemo(t)
	must(t, l.Mover.Encrypt(t.Context(), alone(onePhrase)))
	if all, err := (ledger{l}).Conclusions(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("got %+v, %v", all, err)
	}
	must(t, l.Keys.Lock())
	if _, err := (ledger{l}).Conclusions(t.Context()); errs.CodeOf(err) != errs.Locked {
		t.Errorf("got %v", err)
	}
}
