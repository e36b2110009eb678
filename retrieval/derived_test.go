package retrieval_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store"
	"lens/store/archivetest"
)

// derivedChat is a chat with an attachment and an artifact.
const derivedChat = `[{"uuid":"c1","name":"Dinner","created_at":"2025-06-01T10:00:00Z","chat_messages":[
	{"uuid":"h1","sender":"human","text":"Draft a menu","created_at":"2025-06-01T10:00:00Z",
	 "attachments":[{"file_name":"wines.txt","extracted_content":"Riesling and trout"}]},
	{"uuid":"b1","sender":"assistant","created_at":"2025-06-01T10:00:05Z","content":[{"type":"text","text":"Here is the trout."},
	 {"type":"tool_use","name":"artifacts","input":{"command":"create","id":"m","title":"The menu","content":"Trout"}}]}]}]`

func derivedEngine(t *testing.T, st store.Store) *retrieval.Engine {
	t.Helper()
	path := filepath.Join(t.TempDir(), "conversations.json")
	testenv.Must(t, os.WriteFile(path, []byte(derivedChat), 0o600))
	archivetest.Import(t, st, path)
	return retrieval.New(st, nil)
}

func TestPeek_Derived(t *testing.T) {
	for store, e := range map[string]*retrieval.Engine{
		"SQLite": derivedEngine(t, openSQLite(t)), "Postgres": derivedEngine(t, openPostgres(t)),
	} {
		for text, want := range map[string][]string{
			"trout":                          {"", "artifact", "attachment"},
			"trout source:claude":            {"", "artifact", "attachment"},
			"trout kind:artifact":            {"artifact"},
			"source:claude kind:attachment":  {"attachment"},
			"trout -kind:artifact":           {"", "attachment"},
			"trout kind:chat":                {""},
			"kind:chat kind:attachment":      {"", "attachment"},
			"trout -source:claude":           nil,
			"trout source:chatgpt":           nil,
			"trout source:documents":         nil,
			"source:chatgpt kind:attachment": nil,
		} {
			q := parse(t, text)
			p := peek(t, e, q.Text, q)
			var got []string
			for _, m := range p.Matches {
				got = append(got, m.Chunk.Part())
			}
			slices.Sort(got)
			if !slices.Equal(got, want) || p.Histogram.Total != len(want) {
				t.Errorf("%s: %s finds %q, and counts %d, want %q", store, text, got, p.Histogram.Total, want)
			}
		}
		checkDerivedTurn(t, e)
	}
}

// checkDerivedTurn follows a piece of an artifact to the turn that it belongs to.
func checkDerivedTurn(t *testing.T, e *retrieval.Engine) {
	t.Helper()
	q := parse(t, "kind:artifact")
	match := peek(t, e, "", q).Matches[0]
	piece, err := e.Turn(t.Context(), match.TurnID.String())
	testenv.Must(t, err)
	if piece.Source != "claude" || piece.Title != "The menu" || piece.Chunk.Path != "" || piece.Chunk.Origin == nil {
		t.Fatalf("got %+v", piece)
	}
	of, err := e.Turn(t.Context(), piece.Chunk.Origin.Turn.String())
	testenv.Must(t, err)
	if of.User != "Draft a menu" || of.Conversation != piece.Chunk.Origin.Conversation || !of.Time.Equal(*piece.Time) {
		t.Errorf("it belongs to %+v", of)
	}
	o, err := e.Overview(t.Context())
	testenv.Must(t, err)
	if o.Conversations != 1 || o.Turns != 3 {
		t.Errorf("%d conversations and %d turns, want 1 and 3", o.Conversations, o.Turns)
	}
	if has, err := e.HasChunks(t.Context()); err != nil || has {
		t.Errorf("it has chunks to retrieve: %t, %v", has, err)
	}
}

// TestKinds compares the names of the filter with the store's.
func TestKinds(t *testing.T) {
	var names []string
	for _, kind := range store.Kinds {
		names = append(names, string(kind))
	}
	if !slices.Equal(names, query.Kinds) {
		t.Errorf("the filter takes %q, the store has %q", query.Kinds, names)
	}
}
