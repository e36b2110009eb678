package retrieval_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store"
	"lens/store/ingest"
	"lens/store/ingest/chat"
)

// turnWith returns the id of the turn whose user text begins with text.
func turnWith(t *testing.T, a *fakeSource, text string) uuid.UUID {
	t.Helper()
	for id, turn := range a.turns {
		if strings.HasPrefix(turn.UserText, text) {
			return id
		}
	}
	t.Fatal("no such turn")
	return uuid.Nil
}

func TestTurn_UniquePrefix(t *testing.T) {
	a := kitchen()
	e := retrieval.New(a, nil)
	id := turnWith(t, a, "Can a sourdough").String()
	digits := strings.ReplaceAll(id, "-", "")
	for _, prefix := range []string{id, id[:8], id[:9], id[:15], strings.ToUpper(id), digits, digits[:13], " " + id + "\n"} {
		got, err := e.Turn(t.Context(), prefix)
		if err != nil || got.TurnID.String() != id {
			t.Errorf("%q: %v", prefix, err)
		}
	}
}

// TestTurn_Answers reads a question with two answers, by the ids of all of them.
func TestTurn_Answers(t *testing.T) {
	st := openSQLite(t)
	file := filepath.Join(t.TempDir(), "conversations.json")
	export := func(chosen string) {
		t.Helper()
		testenv.Must(t, os.WriteFile(file, []byte(`[{"id":"c","current_node":"`+chosen+`","update_time":`+strconv.Itoa(len(chosen))+`,"mapping":{
			"q":{"id":"q","message":{"author":{"role":"user"},"content":{"parts":["Which bird?"]}}},
			"a":{"id":"a","parent":"q","message":{"author":{"role":"assistant"},"content":{"parts":["A heron."]}}},
			"bb":{"id":"bb","parent":"q","message":{"author":{"role":"assistant"},"content":{"parts":["A stork."]}}}}}]`), 0o600))
		if _, err := ingest.Import(t.Context(), st, []string{file}, ingest.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	e := retrieval.New(st, nil)
	read := func(id uuid.UUID) *retrieval.Turn {
		t.Helper()
		turn, err := e.Turn(t.Context(), id.String())
		if err != nil {
			t.Fatal(err)
		}
		return turn
	}
	export("a")
	turn := store.TurnID(chat.MessageID("c", "q"))
	heron, stork := store.AnswerID(chat.MessageID("c", "q"), chat.MessageID("c", "a")), store.AnswerID(chat.MessageID("c", "q"), chat.MessageID("c", "bb"))
	first := read(turn)
	want := []retrieval.Answer{{TurnID: turn, ID: &heron}, {TurnID: stork, ID: &stork}}
	if !reflect.DeepEqual(first.Answers, want) || *first.AnswerID != heron || first.Assistant != "A heron." {
		t.Errorf("got %+v", first)
	}
	if other := read(stork); !reflect.DeepEqual(other.Answers, want) || other.Assistant != "A stork." || other.User != "Which bird?" || other.OnPath {
		t.Errorf("got %+v", other)
	}
	if again := read(heron); !reflect.DeepEqual(again, first) {
		t.Errorf("by its answer: %+v", again)
	}
	export("bb")
	if now := read(turn); now.Assistant != "A stork." || *now.AnswerID != stork || now.Answers[1].TurnID != heron {
		t.Errorf("after another was chosen: %+v", now)
	}
	if cited := read(heron); cited.Assistant != "A heron." || cited.TurnID != heron {
		t.Errorf("what was cited: %+v", cited)
	}
	if cited := read(stork); cited.Assistant != "A stork." || cited.TurnID != turn {
		t.Errorf("what was cited before it was chosen: %+v", cited)
	}
	for branches, want := range map[bool][]string{false: {"A stork."}, true: {"A heron.", "A stork."}} {
		var found []string
		request := query.Query{Text: "heron stork", Snippets: new(5)}
		request.Filter.Branches = branches
		result, err := e.Peek(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range result.Matches {
			found = append(found, m.AssistantSnippet)
		}
		if slices.Sort(found); !slices.Equal(found, want) {
			t.Errorf("with branches %t, found %q, want %q", branches, found, want)
		}
	}
	_, err := e.Turn(t.Context(), uuid.New().String())
	if errs.CodeOf(err) != errs.NotFound {
		t.Errorf("an unknown id: %v", err)
	}
}

func TestTurns_InOrder(t *testing.T) {
	a := kitchen()
	e := retrieval.New(a, nil)
	var ids []string
	for id := range a.turns {
		ids = append(ids, id.String())
	}
	absent := strings.Repeat("f", 32)
	got, err := e.Turns(t.Context(), append([]string{absent, ids[0]}, ids...))
	if err != nil || len(got.Missing) != 1 || got.Missing[0] != absent || len(got.Turns) != len(ids)+1 {
		t.Fatalf("%v: %+v", err, got)
	}
	for i, id := range append(ids[:1:1], ids...) {
		one, err := e.Turn(t.Context(), id)
		if err != nil || !reflect.DeepEqual(got.Turns[i], one) {
			t.Errorf("turn %d is %v, want %s", i, got.Turns[i], id)
		}
	}
	if got, err := e.Turns(t.Context(), []string{absent}); err != nil || got.Turns == nil || len(got.Turns) != 0 {
		t.Errorf("%v, %+v", err, got)
	}
	for name, prefixes := range map[string][]string{
		"none": nil, "too many": slices.Repeat(ids[:1], retrieval.MaxTurns+1), "not an id": {ids[0], "zz"}, "ambiguous": {""},
	} {
		if got, err := e.Turns(t.Context(), prefixes); errs.CodeOf(err) != errs.Invalid {
			t.Errorf("%s: %v, %+v", name, err, got)
		}
	}
}

func TestEmbeddedTurn(t *testing.T) {
	a := kitchen()
	id := turnWith(t, a, "Can a sourdough")
	turn := a.turns[id]
	e := retrieval.New(a, nil)
	text, hash := turn.EmbeddedText(), store.ContentHash(turn.EmbeddedText())
	want := retrieval.Embedding{
		Provider: "test", Model: "words", Dim: dim, ContentHash: fmt.Sprintf("%x", hash[:]),
		UsedSummary: true,
	}
	got, err := e.EmbeddedTurn(t.Context(), id.String())
	if err != nil || got.ContentUsed == nil || *got.ContentUsed != text || *got.Embedding != want {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := e.Turn(t.Context(), id.String()); err != nil || got.ContentUsed != nil || got.Embedding != nil {
		t.Errorf("without being asked: %+v, %v", got, err)
	}
	a.embedded = map[uuid.UUID]store.Embedded{id: {Content: hash}}
	want.UsedSummary = false
	if got, err = e.EmbeddedTurn(t.Context(), id.String()); err != nil || got.ContentUsed != nil || *got.Embedding != want {
		t.Errorf("unknown text: %+v, %v", got, err)
	}
	delete(a.vectors, turn.Ord)
	if got, err := e.EmbeddedTurn(t.Context(), id.String()); err != nil || got.ContentUsed != nil || got.Embedding != nil {
		t.Errorf("no vector: %+v, %v", got, err)
	}
}

// Another model takes over between the reading of the turn and that of its embedding.
func TestEmbeddedTurn_OfTheNextModel(t *testing.T) {
	a := kitchen()
	id := turnWith(t, a, "Can a sourdough")
	e := retrieval.New(a, nil)
	if _, err := e.Turn(t.Context(), id.String()); err != nil { // so that the snapshot is of the first model
		t.Fatal(err)
	}
	a.vanish = func([]uuid.UUID) {
		a.vanish = nil
		next := *a.catalog
		next.Version++
		a.catalog = &next
		a.generations[0].ID, a.generations[0].Model = 2, "next"
	}
	if got, err := e.EmbeddedTurn(t.Context(), id.String()); err != nil || got.Embedding == nil || got.Embedding.Model != "next" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestPeek_SnippetOfEmbeddedText(t *testing.T) {
	a := kitchen()
	id := turnWith(t, a, "Can a sourdough")
	turn := a.turns[id]
	turn.Summary = "a summary that came later"
	a.turns[id] = turn
	user := "User: " + turn.UserText
	for name, c := range map[string]struct {
		embedded store.Embedded
		snippet  string
		summary  bool
	}{
		"the reply, cut":     {store.Embedded{Text: user + "\nAssistant: It starts"}, "It starts", false},
		"a summary":          {store.Embedded{Text: user + "\nAssistant: In short", UsedSummary: true}, "In short", true},
		"no reply":           {store.Embedded{Text: user[:20]}, turn.Summary, true},
		"only its beginning": {store.Embedded{Text: user + "\nAssistant: "}, turn.Summary, true},
		"another turn":       {store.Embedded{Text: "User: no\nAssistant: not"}, turn.Summary, true},
		"unknown":            {store.Embedded{}, turn.Summary, true},
	} {
		a.embedded = map[uuid.UUID]store.Embedded{id: c.embedded}
		p, err := retrieval.New(a, nil).Peek(t.Context(), query.Query{Text: "sourdough"})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, m := range p.Matches {
			if m.TurnID != id {
				continue
			}
			found = true
			if m.AssistantSnippet != c.snippet || m.SnippetIsSummary != c.summary {
				t.Errorf("%s: %q, a summary: %v", name, m.AssistantSnippet, m.SnippetIsSummary)
			}
		}
		if !found {
			t.Errorf("%s: the turn was not found", name)
		}
	}
}

func TestTurn_Errors(t *testing.T) {
	a := kitchen()
	taken := map[string]int{}
	for id := range a.turns {
		taken[id.String()[:1]]++
	}
	crowded, free := "", ""
	for _, digit := range "0123456789abcdef" {
		switch n := taken[string(digit)]; {
		case n > 1:
			crowded = string(digit)
		case n == 0:
			free = string(digit)
		}
	}
	for name, c := range map[string]struct {
		prefix string
		code   errs.Code
		says   string
	}{
		"an ambiguous prefix counts its turns": {crowded, "invalid", fmt.Sprintf("%d turn IDs start with this", taken[crowded])},
		"a prefix of nothing":                  {free, "not_found", "no turn ID starts"},
		"nothing":                              {"", "invalid", "not the start of a turn ID"},
		"a word":                               {"bread", "invalid", "not the start of a turn ID"},
		"hyphens alone":                        {"--", "invalid", "not the start of a turn ID"},
		"hyphens in the wrong place":           {"12-34", "invalid", "not the start of a turn ID"},
		"too many digits":                      {strings.Repeat("a", 33), "invalid", "not the start of a turn ID"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := retrieval.New(a, nil).Turn(t.Context(), c.prefix)
			if errs.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, not %s: %s", err, c.code, c.says)
			}
			if failure := new(errs.Error); !errors.As(err, &failure) || failure.Hint == "" {
				t.Error("no next step")
			}
		})
	}
}

func TestTurn_VeryAmbiguousPrefix(t *testing.T) {
	var turns []store.Turn
	for i := range 4000 { // some 250 of them begin with any one digit
		turns = append(turns, conversationOf(fmt.Sprint(i), [3]string{"2023-01-01", "a", "b"})...)
	}
	_, err := retrieval.New(newFakeSource(1, turns), nil).Turn(t.Context(), "a")
	if err == nil || !strings.Contains(err.Error(), "more than 100 turn IDs start with this") {
		t.Errorf("got %v", err)
	}
}

func TestTurn_NeighborsAndSummary(t *testing.T) {
	a := kitchen()
	e := retrieval.New(a, nil)
	got, err := e.Turn(t.Context(), turnWith(t, a, "Can a sourdough").String())
	if err != nil {
		t.Fatal(err)
	}
	if got.Prev == nil || *got.Prev != turnWith(t, a, "My sourdough starter") || got.Next != nil {
		t.Errorf("prev %v, next %v: the branch between must be passed over", got.Prev, got.Next)
	}
	if got.Summary != "Freezing a starter works." || !got.UsedSummary || !strings.HasPrefix(got.Assistant, "A starter survives") {
		t.Errorf("%+v", got)
	}
	if got.TimeSource != "message" || got.Time.Format(time.DateOnly) != "2023-04-02" || got.EmbeddingModel != "words" || got.Source != "chatgpt" || got.Position != 2 {
		t.Errorf("%+v", got)
	}

	undated, err := e.Turn(t.Context(), turnWith(t, a, "An old note").String())
	if err != nil || undated.Time != nil || undated.TimeSource != "undated" || undated.Prev == nil || undated.Next == nil {
		t.Errorf("%+v, %v", undated, err)
	}
	branch, err := e.Turn(t.Context(), turnWith(t, a, "And the crust").String())
	if err != nil || branch.OnPath || branch.Prev != nil || branch.Next != nil {
		t.Errorf("%+v, %v", branch, err)
	}
}

func TestTurn_Created(t *testing.T) {
	turns := conversationOf("Two", [3]string{"2023-01-01", "imported", "yes"}, [3]string{"2023-01-02", "by an older Lens", "yes"})
	imported := time.Date(2024, 5, 6, 9, 0, 0, 0, time.FixedZone("", 2*60*60))
	turns[0].Created = imported
	e := retrieval.New(newFakeSource(1, turns), nil)
	got, err := e.Turn(t.Context(), turns[0].ID.String())
	if err != nil || got.Created == nil || !got.Created.Equal(imported) || got.Created.Location() != time.UTC {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err = e.Turn(t.Context(), turns[1].ID.String()); err != nil || got.Created != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestTurn_WithoutReply(t *testing.T) {
	turns := conversationOf("Alone", [3]string{"2023-01-01", "anybody there?", ""})
	turns[0].Assistant = uuid.Nil
	a := newFakeSource(1, turns)
	got, err := retrieval.New(a, nil).Turn(t.Context(), turns[0].ID.String())
	if err != nil || got.AssistantMessage != nil {
		t.Errorf("%+v, %v", got, err)
	}
}
