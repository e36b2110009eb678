package retrieval_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/embed/embedtest"
	"lens/retrieval/embed/openai"
	"lens/retrieval/query"
	"lens/store"
	"lens/store/archivetest"
	"lens/store/postgres"
	"lens/store/postgres/pgtest"
	"lens/store/sqlite"
)

// For the same files and questions both stores must give answers that are equal to the last digit.

func TestEngine_BothStoresAgree(t *testing.T) {
	t.Run("demo", func(t *testing.T) { compareStores(t, testenv.Demo(t, demo.Options{Turns: 300})) })
	for _, name := range []string{"real-2023", "synthetic-modern"} {
		t.Run(name, func(t *testing.T) {
			compareStores(t, testenv.Shared(t, "exports/"+name+"/conversations.json"))
		})
	}
}

func compareStores(t *testing.T, file string) {
	model := scriptedModel(t)
	lite := fill(t, openSQLite(t), []string{file}, model)
	full := fill(t, openPostgres(t), []string{file}, model)
	for _, q := range questions {
		for _, mode := range []query.Mode{query.Keyword, query.Dense, query.Hybrid} {
			q.opts.Mode = mode
			a, b := answer(t, lite, q.text, q.opts), answer(t, full, q.text, q.opts)
			if a != b {
				t.Errorf("%q, %s, %+v:\nSQLite   %s\nPostgres %s", q.text, mode, q.opts, a, b)
			}
		}
	}
	compareTurns(t, lite, full)
}

// compareTurns compares what the stores say of the first turns that a question finds, and of all turns over time.
func compareTurns(t *testing.T, lite, full *retrieval.Engine) {
	t.Helper()
	found, err := lite.Peek(t.Context(), query.Query{Text: "how do I", Snippets: new(20)})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range found.Matches {
		a, errA := lite.Turn(t.Context(), m.TurnID.String())
		b, errB := full.Turn(t.Context(), m.TurnID.String())
		if errA == nil && errB == nil {
			if a.Created == nil || b.Created == nil {
				t.Errorf("turn %s came into an archive at no time", m.TurnID)
			}
			a.Created, b.Created = nil, nil // into each when it was filled
		}
		if errA != nil || errB != nil || asJSON(t, a) != asJSON(t, b) {
			t.Errorf("turn %s: %v, %v\n%s\n%s", m.TurnID, errA, errB, asJSON(t, a), asJSON(t, b))
		}
	}
	compareLikes(t, lite, full, found.Matches[0].TurnID.String())
	a, errA := lite.Activity(t.Context(), query.Query{})
	b, errB := full.Activity(t.Context(), query.Query{})
	if errA != nil || errB != nil || asJSON(t, a) != asJSON(t, b) {
		t.Errorf("activity: %v, %v\n%s\n%s", errA, errB, asJSON(t, a), asJSON(t, b))
	}
}

// compareLikes compares what the stores find most like a turn.
func compareLikes(t *testing.T, lite, full *retrieval.Engine, turn string) {
	t.Helper()
	for _, mode := range []query.Mode{query.Auto, query.Hybrid, query.Keyword} {
		a, errA := lite.Peek(t.Context(), query.Query{Like: turn, Mode: mode})
		b, errB := full.Peek(t.Context(), query.Query{Like: turn, Mode: mode})
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		a.Timing, b.Timing = retrieval.Timing{}, retrieval.Timing{}
		if mode == query.Auto && a.Mode != query.Dense || asJSON(t, a) != asJSON(t, b) {
			t.Errorf("like %s, %s:\nSQLite   %s\nPostgres %s", turn, mode, asJSON(t, a), asJSON(t, b))
		}
	}
}

var questions = []struct {
	text string
	opts query.Query
}{
	{"how do I make bread rise", query.Query{}},
	{"database settings for the test server", query.Query{TopK: new(7), Snippets: new(7), Bin: "day"}},
	{"日本語", query.Query{Filter: query.Filter{Branches: true}}},
	{"ERR_42", query.Query{Snippets: new(0)}},
	{"running", query.Query{Bin: "week", Filter: query.Filter{Since: midnight(2023, 5, 1), Until: midnight(2023, 6, 1)}}},
	{"guitar", query.Query{TopK: new(1000), Snippets: new(100), Filter: query.Filter{Since: midnight(2024, 2, 1)}}},
	{"anything at all", query.Query{Filter: query.Filter{Until: midnight(2023, 4, 15)}}},
	{"what is", query.Query{Filter: query.Filter{Conversations: query.Values[uuid.UUID]{In: []uuid.UUID{uuid.MustParse("840e0fc0-baba-5770-b662-43d446a82669")}}}}},
}

func midnight(year int, month time.Month, d int) time.Time {
	return time.Date(year, month, d, 0, 0, 0, 0, time.UTC)
}

// answer returns a peek as JSON, without how long it took.
func answer(t *testing.T, e *retrieval.Engine, question string, opts query.Query) string {
	t.Helper()
	opts.Text = question
	p, err := e.Peek(t.Context(), opts)
	if err != nil {
		t.Fatalf("%q, %+v: %v", question, opts, err)
	}
	p.Timing = retrieval.Timing{}
	return asJSON(t, p)
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func scriptedModel(t *testing.T) *openai.Embedder {
	t.Helper()
	server := embedtest.New(t, embedtest.Options{Dim: 64})
	return openai.New(server.Client(), openai.Options{BaseURL: server.URL, Key: "key", Model: "scripted"})
}

// fill imports and embeds files, and returns an engine over the store.
func fill(t *testing.T, st store.Store, files []string, model *openai.Embedder) *retrieval.Engine {
	t.Helper()
	archivetest.Import(t, st, files...)
	archivetest.Embed(t, st, model)
	return retrieval.New(st, model)
}

func openSQLite(t testing.TB) store.Store {
	t.Helper()
	st, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	return opened(t, st, err)
}

func openPostgres(t *testing.T) store.Store {
	t.Helper()
	st, err := postgres.Open(t.Context(), postgres.Options{URL: pgtest.Database(t)})
	return opened(t, st, err)
}

func opened(t testing.TB, st store.Store, err error) store.Store {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}
