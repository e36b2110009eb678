package quality

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/internal/testenv"
	"lens/retrieval/embed"
	"lens/retrieval/query"
	"lens/store"
)

// question is a query with its relevant turns or, where any turn of one counts, conversations.
type question struct {
	*archive
	text          string
	relevant      map[uuid.UUID]bool
	conversations bool // relevant are conversations
}

// ask returns the ids found for the question, best first: of turns or of conversations.
func (q *question) ask(ctx context.Context, mode query.Mode) ([]uuid.UUID, error) {
	turns, conversations, err := q.archive.ask(ctx, q.text, mode)
	if q.conversations {
		return conversations, err
	}
	return turns, err
}

var monthOrYear = regexp.MustCompile(`(?i)\b(january|february|march|april|may|june|july|august|september|october|november|` +
	`december)\b|20\d\d`)

// hasDate reports whether the question has the name of a month or a year.
func (q question) hasDate() bool { return monthOrYear.MatchString(q.text) }

// locomo is five people, with the questions that have an answer. Some of its answers are given before the user has said anything, so
// that they are in no turn; what is left without an answer by that is not asked.
func locomo(t *testing.T, model embed.Embedder) []question {
	folders, err := filepath.Glob(testenv.SharedPath("locomo-dev/conv-*"))
	if err != nil || len(folders) == 0 {
		t.Fatalf("no LoCoMo archives: %v", err)
	}
	var questions []question
	for _, folder := range folders {
		person := open(t, filepath.Join(folder, "conversations.json"), model)
		for _, q := range lines[struct {
			Query, Category string
			Relevant        []uuid.UUID `json:"relevant_turns"` // named by their user messages
		}](t, filepath.Join(folder, "queries.jsonl")) {
			if relevant := person.turnsOf(t, q.Relevant); q.Category != "adversarial" && len(relevant) > 0 {
				questions = append(questions, question{archive: person, text: q.Query, relevant: relevant})
			}
		}
	}
	return questions
}

// turnsOf returns the ids of the archive's turns that the user messages open.
func (a *archive) turnsOf(t *testing.T, messages []uuid.UUID) map[uuid.UUID]bool {
	t.Helper()
	catalog, err := a.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	turns := make(map[uuid.UUID]bool)
	for _, m := range messages {
		if id := store.TurnID(m); slices.Contains(catalog.ID, id) {
			turns[id] = true
		}
	}
	return turns
}

// knownItem asks for conversations by their titles.
func knownItem(t *testing.T, model embed.Embedder) []question {
	a := open(t, testenv.SharedPath("exports/real-2023"), model)
	if isUseLite(model) {
		a.checkStandsOut(t, "how do I cook something tasty")
	}
	catalog, err := a.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	conversations, err := a.Conversations(t.Context(), catalog.Conversations)
	if err != nil {
		t.Fatal(err)
	}
	times := make(map[string]int)
	for _, c := range conversations {
		times[c.Title]++
	}
	var questions []question
	for _, c := range conversations {
		if times[c.Title] == 1 && !strings.EqualFold(c.Title, "New chat") {
			questions = append(questions, question{archive: a, text: c.Title, relevant: map[uuid.UUID]bool{c.ID: true}, conversations: true})
		}
	}
	return questions
}

// cranfield is one archive of abstracts, which are records.
func cranfield(t *testing.T, model embed.Embedder) []question {
	folder := testenv.SharedPath("cranfield")
	a := open(t, filepath.Join(folder, "chunks.jsonl"), model)
	a.records = a.turnsOfRecords(t)
	if model != nil {
		a.publish(t)
	}
	judgements, err := os.ReadFile(filepath.Join(folder, "qrels.tsv"))
	testenv.Must(t, err)
	relevant := make(map[string]map[uuid.UUID]bool)
	for line := range strings.Lines(string(judgements)) {
		fields := strings.Fields(line)
		if relevant[fields[0]] == nil {
			relevant[fields[0]] = make(map[uuid.UUID]bool)
		}
		relevant[fields[0]][a.records[fields[1]]] = true
	}
	var questions []question
	for _, q := range lines[struct{ ID, Text string }](t, filepath.Join(folder, "queries.jsonl")) {
		questions = append(questions, question{archive: a, text: q.Text, relevant: relevant[q.ID]})
	}
	return questions
}

// turnsOfRecords returns the turns of an archive's records, by the records' ids.
func (a *archive) turnsOfRecords(t *testing.T) map[string]uuid.UUID {
	t.Helper()
	turns := make(map[string]uuid.UUID)
	for turn, err := range a.EachTurn(t.Context(), store.Filter{}) {
		testenv.Must(t, err)
		if turn.Chunk != nil {
			turns[turn.Chunk.ID] = turn.ID
		}
	}
	return turns
}

// lines reads a file with one JSON document per line.
func lines[T any](t *testing.T, name string) []T {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []T
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		var one T
		if err := json.Unmarshal(scanner.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
