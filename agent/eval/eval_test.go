package eval

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/uuid"

	"lens/agent"
	"lens/agent/agenttest"
	"lens/agent/openai"
	"lens/agent/tools"
	"lens/retrieval"
	"lens/store"
	"lens/store/ingest"
	"lens/store/sqlite"
)

// every is how many questions there are to one that is asked: all of them say no more, and take longer.
const every = 4

// question is one of LoCoMo's, with the turns that answer it.
type question struct {
	Query, Category string
	Relevant        []uuid.UUID `json:"relevant_turns"` // named by their user messages
}

// figures is what came of some questions.
type figures struct {
	questions                  int
	recall, precision          float64 // sums over questions
	cited                      int     // questions with a citation
	removed, differing         int     // by the gate
	rounds, tokens, turns      int
	milliseconds, tookOverhead []float64
}

func TestEvaluation(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join("..", "..", "..", "shared", "data", "locomo-dev", "conv-*"))
	if err != nil || len(folders) == 0 {
		t.Skip("NOT EVALUATED: the LoCoMo archives are not at hand")
	}
	server := agenttest.Thinking(t, investigate)
	total := figures{}
	perCategory := map[string]*figures{}
	for _, folder := range folders {
		engine, catalog := opened(t, filepath.Join(folder, "conversations.json"))
		for i, q := range questions(t, filepath.Join(folder, "queries.jsonl")) {
			relevant := turnsOf(catalog, q.Relevant)
			if i%every > 0 || q.Category == "adversarial" || len(relevant) == 0 {
				continue
			}
			if perCategory[q.Category] == nil {
				perCategory[q.Category] = &figures{}
			}
			for _, f := range []*figures{&total, perCategory[q.Category]} {
				f.questions++
			}
			done, hydratedIDs := ask(t, server, engine, q.Query)
			for _, f := range []*figures{&total, perCategory[q.Category]} {
				f.add(done, hydratedIDs, relevant)
			}
		}
	}
	t.Logf("%-13s %9s %8s %10s %7s %7s %8s %7s %10s", "", "questions", "recall", "precision", "rounds", "turns", "tokens", "p50 ms", "overhead")
	for _, name := range slices.Sorted(keys(perCategory)) {
		perCategory[name].print(t, name)
	}
	total.print(t, "all")
	t.Logf("the gate took out %d invented citations and marked %d invented quotations of %d answers", total.removed, total.differing, total.questions)
	if total.removed != total.questions || total.differing != total.questions {
		t.Errorf("each answer invents one citation and one quotation")
	}
	if total.recall/float64(total.questions) < .5 {
		t.Errorf("evidence recall fell to %.3f", total.recall/float64(total.questions))
	}
}

func keys(m map[string]*figures) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func ask(t *testing.T, server *agenttest.Server, engine *retrieval.Engine, query string) (done agent.Done, hydrated []string) {
	t.Helper()
	req := agent.Request{
		Model:    openai.New(server.Client(), openai.Options{BaseURL: server.URL, Model: "gpt-4o"}),
		Tools:    tools.New(engine, tools.Options{}),
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

// opened imports an archive.
func opened(t *testing.T, path string) (*retrieval.Engine, *store.Catalog) {
	t.Helper()
	st, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	if _, err := ingest.Import(t.Context(), st, []string{path}, ingest.Options{}); err != nil {
		t.Fatal(err)
	}
	catalog, err := st.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return retrieval.New(st, nil), catalog
}

// turnsOf returns the ids of the archive's turns that the user messages open.
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
