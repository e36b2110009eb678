package demo_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"lens/internal/demo"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
	"lens/store/ingest/source/claudecode"
)

func sessions(t testing.TB, seed uint64, size int64) (all []*demo.Session) {
	t.Helper()
	each, err := demo.Sessions(seed, size)
	if err != nil {
		t.Fatal(err)
	}
	for s := range each {
		all = append(all, s)
	}
	return all
}

// Benchmarks compare builds, so the sessions must be the same in all of them.
func TestSessions_Reproducible(t *testing.T) {
	hash := func(seed uint64) string {
		sum := sha256.New()
		for _, s := range sessions(t, seed, 1<<20) {
			sum.Write([]byte(s.Name))
			sum.Write(s.Log)
		}
		return hex.EncodeToString(sum.Sum(nil)[:8])
	}
	const want = "7a2f14a0c5e5525e"
	if got := hash(1); got != want || hash(2) == got {
		t.Errorf("got hash %s, want %s", got, want)
	}
}

func TestSessions_ParserKnowsEverything(t *testing.T) {
	total, turns, offPath, asides := 0, 0, 0, 0
	for _, s := range sessions(t, 1, 8<<20) {
		total += len(s.Log)
		var all []*chat.Parsed
		for p, err := range claudecode.Format.Read(&source.File{Reader: bytes.NewReader(s.Log), Name: s.Name}) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, p)
		}
		p := all[0]
		if len(p.Turns) != s.Prompts || p.Count.Messages != p.Count.Nodes || len(p.Count.UnknownContent) > 0 {
			t.Errorf("%s: %d turns of %d prompts, left out: %v", s.Name, len(p.Turns), s.Prompts, p.Count.Skipped)
		}
		for i := range p.Turns {
			turns++
			if !p.Turns[i].OnPath {
				offPath++
			}
		}
		for i := range p.Messages {
			if !p.Messages[i].Visible {
				asides++
			}
		}
	}
	if total < 8<<20 || total > 16<<20 || offPath == 0 || offPath*10 > turns || asides < turns {
		t.Errorf("%d bytes, %d turns, %d of them off the path, %d asides", total, turns, offPath, asides)
	}
}
