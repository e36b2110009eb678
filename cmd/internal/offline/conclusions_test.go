package offline

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
	"lens/cmd/internal/chat"
	"lens/internal/errs"
	"lens/internal/sandbox"
	"lens/internal/vault/vaulttest"
	"lens/retrieval"
	"lens/retrieval/offline"
	"lens/retrieval/query"
)

const chatID = "0b8f6e3c-1111-4222-8333-444455556666"

// pinnedDemo returns a service over some chats and a conversation about one turn of them, with one pinned answer and
// one that is not.
func pinnedDemo(t *testing.T) (*Service, *fixture, *chat.Sessions, retrieval.Match) {
	t.Helper()
	s, a := demoIn(t, t.TempDir())
	engine, err := a.Engine(t.Context())
	must(t, err)
	p, err := engine.Peek(t.Context(), query.Query{Text: "sourdough"})
	must(t, err)
	m := p.Matches[0]
	cites := []agent.Citation{{N: 3, TurnID: m.TurnID.String()}, {N: 4, TurnID: "no id"}}
	sessions := s.Conclusions.(*chat.Sessions)
	must(t, sessions.Save(t.Context(), agent.Session{ID: chatID, Exchanges: []agent.Exchange{
		{Question: "how?", Answer: "slowly [3]", Citations: cites},
		{
			Question: "how often?", Answer: "twice [3]", Asked: time.Date(2024, 5, 2, 0, 0, 0, 0, time.UTC), Citations: cites,
			Conclusion: true,
		},
	}}))
	return s, a, sessions, m
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
	s, opened, sessions, m := pinnedDemo(t)
	sealed := func() (sandbox.Evidence, error) { return sandbox.Evidence{Mechanism: sandbox.Seccomp, Probes: 4}, nil }
	r := offline.New(offline.Options{
		Archive: s.searcher, Audit: s.Audit.Log(), Conclusions: s.Conclusions, Verify: sealed,
	})
	before := filesOf(t, opened.dir)
	a, err := r.Answer(t.Context(), []offline.Hit{{ChunkID: m.TurnID}}, "what about bread?", offline.AnswerOptions{})
	if err != nil || len(a.Conclusions) != 1 {
		t.Fatalf("got %+v, %v", a, err)
	}
	c := a.Conclusions[0]
	if !strings.HasPrefix(c.Text, "twice [") || c.At.Year() != 2024 ||
		!reflect.DeepEqual(c.Turns, []uuid.UUID{m.TurnID}) || c.Citations[0].ChunkID != m.TurnID {
		t.Errorf("got conclusions %+v", c)
	}
	if after := filesOf(t, opened.dir); len(before) < 2 || !reflect.DeepEqual(before, after) {
		t.Errorf("before %v, after %v", before, after)
	}
	_, err = sessions.Forget(func(id uuid.UUID) bool { return id == m.TurnID })
	must(t, err)
	if all, err := s.Conclusions.Conclusions(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("after forgetting: got %+v, %v", all, err)
	}
}

func TestConclusions_LockedArchive(t *testing.T) {
	s, a, _, _ := pinnedDemo(t)
	must(t, a.mover.Encrypt(t.Context(), vaulttest.Alone(vaulttest.Passphrase)))
	if all, err := s.Conclusions.Conclusions(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("got %+v, %v", all, err)
	}
	must(t, a.keys.Lock())
	if _, err := s.Conclusions.Conclusions(t.Context()); errs.CodeOf(err) != errs.Locked {
		t.Errorf("got %v", err)
	}
}
