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
	"lens/cmd/internal/archive"
	"lens/retrieval"
	"lens/retrieval/query"
	tui "lens/tui/app"
)

// blabbing is an engine whose errors quote the query.
type blabbing struct{ tui.Engine }

func (blabbing) Peek(_ context.Context, q query.Query) (*retrieval.Peek, error) {
	return nil, errors.New("no such column: " + strings.ToLower(q.Text))
}

func (blabbing) Suggest(_ context.Context, text string) (string, error) {
	return "", errors.New("near " + strings.Fields(text)[0])
}

// loggingReporter returns what it logs.
func loggingReporter(t *testing.T) (r *reporter, logged func() string) {
	r, _ = fakeReporter(t)
	return r, func() string {
		text, err := os.ReadFile(r.app.Logs.Path())
		if err != nil {
			t.Fatal(err)
		}
		return strings.ToLower(string(text))
	}
}

// confused is a chat model whose error quotes the question.
type confused struct{}

func (confused) Investigate(context.Context, []agent.Message) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		yield(nil, errors.New("cannot answer: when was the bankruptcy"))
	}
}

func TestLog_OmitsExplorerQueries(t *testing.T) {
	r, logged := loggingReporter(t)
	engine := redactedEngine{blabbing{}, r.redact}
	_, err := engine.Peek(t.Context(), query.Query{Text: "Divorce lawyer"})
	r.explain(err)
	_, err = engine.Suggest(t.Context(), "Embarrassing rash?")
	r.explain(err)
	chat := r.redact.hiding(tui.Chat{Investigator: confused{}})
	for _, err := range chat.Investigator.Investigate(t.Context(), []agent.Message{{Role: agent.User, Text: "When was the bankruptcy?"}}) {
		r.explain(err)
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
	r, logged := loggingReporter(t)
	if _, err := r.app.Archive.Import(t.Context(), []string{filepath.Join("testdata", "fixtures", "chats.json")}, archive.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	engine, err := r.app.Archive.Engine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out, _ := fakeScreen(t)
	indexed := func(context.Context, query.Query) error { return nil }
	p := &plainExplorer{out: out, report: r, redact: r.redact, engine: engine, index: indexed}
	if err := p.handle(t.Context(), "Divorce lawyer"); err != nil {
		t.Fatal(err)
	}
	r.explain(errors.New("no such column: lawyer in divorce lawyer"))
	if log := logged(); strings.Contains(log, "lawyer") || strings.Contains(log, "divorce") {
		t.Errorf("the log contains the query:\n%s", log)
	}
	if err := r.app.Close(); err != nil {
		t.Error(err)
	}
}

func TestLog_OmitsArguments(t *testing.T) {
	r, logged := loggingReporter(t)
	r.args, r.verb = []string{"peek", "Divorce lawyer"}, "peek"
	r.internal(errors.New("no such term: lawyer"))
	if log := logged(); strings.Contains(log, "lawyer") {
		t.Errorf("the log contains the query:\n%s", log)
	}
}
