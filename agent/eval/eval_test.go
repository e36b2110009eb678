package eval

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/uuid"

	"lens/agent"
	"lens/agent/agenttest"
	"lens/agent/openai"
	"lens/agent/tools"
	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/embed/embedtest"
	"lens/retrieval/embed/local"
	"lens/retrieval/query"
	"lens/store"
	"lens/store/archivetest"
)

// every samples the questions: asking all of them takes longer and shows no more.
const every = 4

// question is a LoCoMo question with the turns that answer it.
type question struct {
	Query, Category string
	Relevant        []uuid.UUID `json:"relevant_turns"` // ids of their user messages
}

// figures sums up the results of some questions.
type figures struct {
	questions                  int
	recall, precision          float64 // sums over questions
	cited                      int     // questions with a citation
	removed, differing         int     // by the citation filter
	rounds, tokens, turns      int
	milliseconds, tookOverhead []float64
}

func TestEvaluation(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT EVALUATED with -short: the race detector makes it minutes")
	}
	folders, err := filepath.Glob(testenv.SharedPath("locomo-dev/conv-*"))
	if err != nil || len(folders) == 0 {
		t.Skip("NOT EVALUATED: the LoCoMo archives are missing")
	}
	modes := []query.Mode{query.Keyword}
	model := useLite(t)
	if model != nil {
		modes = append(modes, query.Hybrid)
	} else {
		t.Run("hybrid", func(t *testing.T) {
			t.Skip("NOT EVALUATED: set LENS_EVAL=full and LENS_TEST_USE_LITE to the folder of use-lite, or run make agent-eval")
		})
	}
	tables := map[query.Mode]table{}
	for _, mode := range modes {
		tables[mode] = table{}
	}
	server := agenttest.NewFunc(t, investigate)
	for _, folder := range folders {
		engine, catalog := openEngine(t, filepath.Join(folder, "conversations.json"), model)
		for i, q := range questions(t, filepath.Join(folder, "queries.jsonl")) {
			relevant := turnsOf(catalog, q.Relevant)
			if i%every > 0 || q.Category == "adversarial" || len(relevant) == 0 {
				continue
			}
			for _, mode := range modes {
				done, hydratedIDs := ask(t, server, engine, mode, q.Query)
				tables[mode].add(q.Category, done, hydratedIDs, relevant)
			}
		}
	}
	for _, mode := range modes {
		tables[mode].print(t, mode)
		tables[mode].check(t)
	}
}

// all names the figures of all questions.
const all = "all"

// table maps a category of questions to its figures.
type table map[string]*figures

func (tb table) add(category string, done agent.Done, hydrated []string, relevant map[string]bool) {
	for _, name := range []string{category, all} {
		if tb[name] == nil {
			tb[name] = &figures{}
		}
		tb[name].add(done, hydrated, relevant)
	}
}

func (tb table) print(t *testing.T, mode query.Mode) {
	t.Logf("%-13s %9s %8s %10s %7s %7s %8s %7s %10s", mode, "questions", "recall", "precision", "rounds", "turns", "tokens", "p50 ms", "overhead")
	for _, name := range slices.Sorted(maps.Keys(tb)) {
		tb[name].print(t, name)
	}
}

// check verifies the filter's promises and the recall that the tools have reached.
func (tb table) check(t *testing.T) {
	f := tb[all]
	t.Logf("the filter removed %d invented citations and marked %d invented quotations in %d answers", f.removed, f.differing, f.questions)
	if f.removed != f.questions || f.differing != f.questions {
		t.Errorf("want one removed citation and one marked quotation per answer")
	}
	if f.recall/float64(f.questions) < .75 {
		t.Errorf("evidence recall fell to %.3f", f.recall/float64(f.questions))
	}
}

func ask(t *testing.T, server *agenttest.Server, engine *retrieval.Engine, mode query.Mode, query string) (done agent.Done, hydrated []string) {
	t.Helper()
	req := agent.Request{
		Model:    openai.New(server.Client(), openai.Options{BaseURL: server.URL, Model: "gpt-4o"}),
		Tools:    tools.New(engine, tools.Options{Mode: mode}),
		Messages: []agent.Message{{Role: agent.User, Text: query}},
	}
	for e, err := range agent.Run(t.Context(), req) {
		if err != nil {
			t.Fatal(err)
		}
		switch e := e.(type) {
		case agent.ToolResult:
			if turn, ok := e.Detail.(*retrieval.Turn); ok {
				hydrated = append(hydrated, turn.TurnID.String())
			}
		case agent.Done:
			done = e
		}
	}
	return done, hydrated
}

func (f *figures) add(done agent.Done, hydrated []string, relevant map[string]bool) {
	share := func(ids []string) (n int) {
		for _, id := range ids {
			if relevant[id] {
				n++
			}
		}
		return n
	}
	f.questions++
	f.recall += float64(share(hydrated)) / float64(len(relevant))
	if len(done.Turns) > 0 {
		f.cited++
		f.precision += float64(share(done.Turns)) / float64(len(done.Turns))
	}
	f.removed += len(done.Removed)
	for _, q := range done.Quotes {
		if !q.Verbatim {
			f.differing++
		}
	}
	f.rounds += done.Usage.Rounds
	f.turns += done.Usage.Turns
	f.tokens += done.Usage.Prompt
	f.milliseconds = append(f.milliseconds, done.Usage.Took)
	f.tookOverhead = append(f.tookOverhead, done.Usage.Overhead)
}

func (f *figures) print(t *testing.T, name string) {
	n := float64(f.questions)
	slices.Sort(f.milliseconds)
	slices.Sort(f.tookOverhead)
	t.Logf("%-13s %9d %8.3f %10.3f %7.1f %7.1f %8.0f %7.1f %10.1f", name, f.questions, f.recall/n, f.precision/float64(max(f.cited, 1)),
		float64(f.rounds)/n, float64(f.turns)/n, float64(f.tokens)/n, f.milliseconds[len(f.milliseconds)/2], f.tookOverhead[len(f.tookOverhead)/2])
}

// useLite opens the embedding model if it is requested and available, otherwise it returns nil: embedding all archives
// takes a minute.
func useLite(t *testing.T) *local.Model {
	t.Helper()
	if os.Getenv("LENS_EVAL") != "full" {
		return nil
	}
	return embedtest.UseLite(t)
}

// openEngine imports an archive and embeds it if there is a model.
func openEngine(t *testing.T, path string, model *local.Model) (*retrieval.Engine, *store.Catalog) {
	t.Helper()
	st := archivetest.New(t, path)
	catalog, err := st.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if model == nil {
		return retrieval.New(st, nil), catalog
	}
	archivetest.Embed(t, st, model)
	return retrieval.New(st, model), catalog
}

// turnsOf returns the ids of the turns that begin with the user messages.
func turnsOf(catalog *store.Catalog, messages []uuid.UUID) map[string]bool {
	turns := map[string]bool{}
	for _, m := range messages {
		if id := store.TurnID(m); slices.Contains(catalog.ID, id) {
			turns[id.String()] = true
		}
	}
	return turns
}

func questions(t *testing.T, path string) []question {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []question
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		all = append(all, q)
	}
	return all
}
