package main

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lens/agent"
	"lens/cmd/internal/app"
	"lens/cmd/internal/config"
	"lens/retrieval"
	"lens/tui"
)

// blabbing is an engine whose errors quote the query.
type blabbing struct{ tui.Engine }

func (blabbing) Peek(_ context.Context, query string, _ retrieval.PeekOptions) (*retrieval.Peek, error) {
	return nil, errors.New("no such column: " + strings.ToLower(query))
}

func (blabbing) Suggest(_ context.Context, query string) (string, error) {
	return "", errors.New("near " + strings.Fields(query)[0])
}

// loggingSession is a session with a log.
func loggingSession(t *testing.T) (s *session, logged func() string) {
	s, _ = fakeSession(t)
	s.lens = app.New(config.Config{DataDir: t.TempDir()}, "lens")
	return s, func() string {
		text, err := os.ReadFile(s.lens.LogPath())
		if err != nil {
			t.Fatal(err)
		}
		return strings.ToLower(string(text))
	}
}

func TestLog_OmitsExplorerQueries(t *testing.T) {
	s, logged := loggingSession(t)
	engine := hidingEngine{blabbing{}, &s.private}
	_, err := engine.Peek(t.Context(), "Divorce lawyer", retrieval.PeekOptions{})
	s.explain(err)
	_, err = engine.Suggest(t.Context(), "Embarrassing rash?")
	s.explain(err)
	chat := s.private.hiding(tui.Chat{Investigate: func(context.Context, []agent.Message) iter.Seq2[agent.Event, error] {
		return func(yield func(agent.Event, error) bool) {
			yield(nil, errors.New("cannot answer: when was the bankruptcy"))
		}
	}})
	for _, err := range chat.Investigate(t.Context(), []agent.Message{{Role: agent.User, Text: "When was the bankruptcy?"}}) {
		s.explain(err)
	}
	log := logged()
	for _, word := range []string{"divorce", "lawyer", "embarrassing", "rash", "bankruptcy"} {
		if strings.Contains(log, word) {
			t.Errorf("the log contains %q:\n%s", word, log)
		}
	}
	if !strings.Contains(log, "no such column: [hidden]") {
		t.Errorf("the rest of the error is missing from the log:\n%s", log)
	}
}

func TestLog_OmitsPlainExplorerQueries(t *testing.T) {
	s, logged := loggingSession(t)
	if _, err := s.lens.Import(t.Context(), []string{filepath.Join("testdata", "fixtures", "chats.json")}, app.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	engine, err := s.lens.Engine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := &plain{session: s, engine: engine}
	if err := p.answer(t.Context(), "Divorce lawyer"); err != nil {
		t.Fatal(err)
	}
	s.explain(errors.New("no such column: lawyer in divorce lawyer"))
	if log := logged(); strings.Contains(log, "lawyer") || strings.Contains(log, "divorce") {
		t.Errorf("the log contains the query:\n%s", log)
	}
	if err := s.lens.Close(); err != nil {
		t.Error(err)
	}
}

func TestLog_OmitsArguments(t *testing.T) {
	s, logged := loggingSession(t)
	s.args, s.verb = []string{"peek", "Divorce lawyer"}, "peek"
	s.unforeseen(errors.New("no such term: lawyer"))
	if log := logged(); strings.Contains(log, "lawyer") {
		t.Errorf("the log contains the query:\n%s", log)
	}
}
