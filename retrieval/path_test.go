package retrieval_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/retrieval"
	"lens/store"
	"lens/store/ingest"
	"lens/store/ingest/chat"
)

// branched imports a conversation: root, then a question that was asked three times. The second version was answered
// twice, and went on after the answer that was not chosen. The active path goes by the third.
func branched(t *testing.T) *retrieval.Engine {
	t.Helper()
	st := openSQLite(t)
	var nodes []string
	node := func(id, parent, role, text string) {
		nodes = append(nodes, fmt.Sprintf(`%q:{"id":%q,"parent":%q,"message":{"author":{"role":%q},"create_time":%d,"content":{"parts":[%q]}}}`,
			id, id, parent, role, 1700000000+len(nodes), text))
	}
	node("q1", "", "user", "Which\n\n bird is it?")
	node("a1", "q1", "assistant", "A heron.")
	node("q2", "a1", "user", "What does it eat?")
	node("a2", "q2", "assistant", "Fish.")
	node("v2", "a1", "user", "What do they eat?")
	node("b2", "v2", "assistant", "Fish and frogs.")
	node("c2", "v2", "assistant", "Frogs.")
	node("q3", "c2", "user", "Only frogs?")
	node("a3", "q3", "assistant", "Mostly.")
	node("w2", "a1", "user", "Where does it live?")
	node("d2", "w2", "assistant", "By the water.")
	node("q4", "d2", "user", "Thanks")
	file := filepath.Join(t.TempDir(), "conversations.json")
	export := `[{"id":"c","current_node":"q4","mapping":{` + strings.Join(nodes, ",") + `}}]`
	testenv.Must(t, os.WriteFile(file, []byte(export), 0o600))
	if _, err := ingest.Import(t.Context(), st, []string{file}, ingest.Options{}); err != nil {
		t.Fatal(err)
	}
	return retrieval.New(st, nil)
}

func asked(message string) uuid.UUID { return store.TurnID(chat.MessageID("c", message)) }

func TestPath_ThroughBranches(t *testing.T) {
	e := branched(t)
	unchosen := func(first string) uuid.UUID {
		return store.AnswerID(chat.MessageID("c", "v2"), chat.MessageID("c", first))
	}
	other := unchosen("b2") // which of the two is chosen, the import decides
	if _, err := e.Path(t.Context(), other); err != nil {
		other = unchosen("c2")
	}
	first, second, third := asked("q2"), asked("v2"), asked("w2")
	for name, c := range map[string]struct {
		through uuid.UUID
		begins  []uuid.UUID
	}{
		"the active path": {asked("q1"), []uuid.UUID{asked("q1"), third, asked("q4")}},
		"its last turn":   {asked("q4"), []uuid.UUID{asked("q1"), third, asked("q4")}},
		"a version":       {first, []uuid.UUID{asked("q1"), first}},
		"below a version": {asked("q3"), []uuid.UUID{asked("q1")}},
		"another answer":  {other, []uuid.UUID{asked("q1"), other}},
	} {
		t.Run(name, func(t *testing.T) {
			path, err := e.Path(t.Context(), c.through)
			if err != nil || path.At(c.through) < 0 {
				t.Fatalf("%v, %+v", err, path)
			}
			for i, want := range c.begins {
				if i >= len(path.Turns) || path.Turns[i].TurnID != want {
					t.Fatalf("the path is %+v, want %v", path.Turns, c.begins)
				}
			}
			versions := path.Turns[1].Questions
			if len(versions) != 3 || versions[0] != first || versions[2] != third ||
				!slices.Contains([]uuid.UUID{second, other}, versions[1]) || path.Turns[0].Questions != nil {
				t.Errorf("versions %v of the second, %v of the first question", versions, path.Turns[0].Questions)
			}
			if got := path.Turns[0].Opening; got != "Which bird is it?" {
				t.Errorf("the first turn opens with %q", got)
			}
		})
	}
	below, err := e.Path(t.Context(), asked("q3"))
	if err != nil || len(below.Turns) != 3 || below.Turns[2].TurnID != asked("q3") || below.Turns[1].Opening != "What do they eat?" {
		t.Errorf("below an answer: %v, %+v", err, below)
	}
	_, err = e.Path(t.Context(), uuid.New())
	if errs.CodeOf(err) != errs.NotFound {
		t.Errorf("an unknown turn: %v", err)
	}
}

func TestFindIn_Conversation(t *testing.T) {
	e := branched(t)
	found, err := e.FindIn(t.Context(), uuid.NewSHA1(chat.Namespace, []byte("c")), regexp.MustCompile(`(?i)FISH|it live`))
	if err != nil || len(found) != 3 || !slices.Contains(found, asked("q2")) || !slices.Contains(found, asked("w2")) {
		t.Errorf("%v, %v", found, err)
	}
}

func TestConversations_LatestFirst(t *testing.T) {
	e := branched(t)
	all, err := e.Conversations(t.Context())
	if err != nil || len(all) != 1 {
		t.Fatalf("%v, %+v", err, all)
	}
	c := all[0]
	if c.FirstTurn != asked("q1") || c.Turns != 3 || c.Source != "chatgpt" || c.Title == "" || c.Topic != "" {
		t.Errorf("got %+v", c)
	}
	if c.First.Unix() != 1700000000 || c.Last.Unix() != 1700000011 {
		t.Errorf("from %v to %v", c.First, c.Last)
	}
	many, err := retrieval.New(kitchen(), nil).Conversations(t.Context())
	if err != nil || len(many) < 3 {
		t.Fatalf("%v, %+v", err, many)
	}
	for i := range many[1:] {
		before, c := many[i], many[i+1]
		if before.Last == nil && c.Last != nil || before.Last != nil && c.Last != nil && before.Last.Before(*c.Last) {
			t.Errorf("%q comes before %q", before.Title, c.Title)
		}
	}
}
