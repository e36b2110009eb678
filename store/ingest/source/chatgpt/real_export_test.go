package chatgpt

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"os"
	"strings"
	"testing"

	"lens/internal/testenv"
	"lens/store/ingest/chat"
)

// shared reads a file of the exports beside the repository, and skips the test if it does not exist.
func shared(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(testenv.Shared(t, "exports/"+name))
	testenv.Must(t, err)
	return data
}

// parseAll parses data, fails on any error, and checks every conversation.
func parseAll(t testing.TB, data []byte) []*chat.Parsed {
	t.Helper()
	got := testenv.Collect(t, Conversations(bytes.NewReader(data)))
	for _, p := range got {
		if err := p.Check(); err != nil {
			t.Error(err)
		}
	}
	return got
}

func TestConversations_RealExport(t *testing.T) {
	var want struct {
		Conversations int
		Messages      int
		Turns         int            `json:"turns_current_path"`
		Silent        int            `json:"turns_without_assistant_text"`
		Months        map[string]int `json:"turns_by_month_utc"`
	}
	if err := json.Unmarshal(shared(t, "real-2023/expected.json"), &want); err != nil {
		t.Fatal(err)
	}
	conversations := parseAll(t, shared(t, "real-2023/conversations.json"))
	messages, turns, silent, months := 0, 0, 0, map[string]int{}
	for _, c := range conversations {
		messages += len(c.Messages)
		for _, turn := range c.Turns {
			if !turn.OnPath {
				continue
			}
			turns++
			if turn.AssistantText == "" {
				silent++
			}
			months[turn.Time.Format("2006-01")]++
		}
	}
	if len(conversations) != want.Conversations || messages != want.Messages || turns != want.Turns || silent != want.Silent {
		t.Errorf("conversations, messages, turns, silent: got %d %d %d %d, want %d %d %d %d", len(conversations), messages, turns, silent,
			want.Conversations, want.Messages, want.Turns, want.Silent)
	}
	if !maps.Equal(months, want.Months) {
		t.Errorf("by month: got %v, want %v", months, want.Months)
	}
}

// expected is a conversation of synthetic-modern/expected.json.
type expected struct {
	Conversation string
	Title        *string
	Turns        []struct {
		User      string
		Assistant string `json:"assistant_contains"`
		Message   string `json:"user_message"`
	}
}

func unzipped(t *testing.T, data []byte) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	file, err := z.Open("conversations.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	inner, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return inner
}

func TestConversations_ModernExport(t *testing.T) {
	var want []expected
	if err := json.Unmarshal(shared(t, "synthetic-modern/expected.json"), &want); err != nil {
		t.Fatal(err)
	}
	t.Run("from the JSON", func(t *testing.T) { compare(t, want, parseAll(t, shared(t, "synthetic-modern/conversations.json"))) })
	t.Run("from the zip", func(t *testing.T) {
		compare(t, want, parseAll(t, unzipped(t, shared(t, "synthetic-modern/export.zip"))))
	})
}

// compare checks the turns on the active path of every conversation.
func compare(t *testing.T, want []expected, conversations []*chat.Parsed) {
	got := make(map[string]*chat.Parsed)
	for _, c := range conversations {
		got[c.ID.String()] = c
	}
	for _, w := range want {
		c := got[w.Conversation]
		if c == nil {
			t.Errorf("%s is missing", w.Conversation)
			continue
		}
		if w.Title != nil && c.Title != *w.Title {
			t.Errorf("%s: title %q, want %q", w.Conversation, c.Title, *w.Title)
		}
		onPath := 0
		for _, turn := range c.Turns {
			if turn.OnPath {
				onPath++
			}
		}
		if onPath != len(w.Turns) {
			t.Errorf("%s: %d turns, want %d", c.Title, onPath, len(w.Turns))
			continue
		}
		for i, wt := range w.Turns {
			turn := c.Turns[i]
			if turn.UserText != wt.User || !strings.Contains(turn.AssistantText, wt.Assistant) || turn.UserMessage.String() != wt.Message {
				t.Errorf("%s: turn %d is %s %q / %q, want %s %q / …%q…", c.Title, i, turn.UserMessage, turn.UserText, turn.AssistantText,
					wt.Message, wt.User, wt.Assistant)
			}
			if (wt.Assistant == "") != (turn.AssistantText == "") {
				t.Errorf("%s: turn %d answers %q", c.Title, i, turn.AssistantText)
			}
		}
	}
}
