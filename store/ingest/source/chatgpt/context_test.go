package chatgpt

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"lens/internal/testenv"
	"lens/store/ingest/chat"
)

// derivedIn returns what derives from the conversations of an export, as "kind title year of turn: text".
func derivedIn(t *testing.T, data []byte) (got []string) {
	t.Helper()
	for p, err := range Conversations(bytes.NewReader(data)) {
		testenv.Must(t, err)
		for _, d := range p.Derived {
			of := ""
			for _, turn := range p.Turns {
				if turn.ID == d.Turn {
					of = turn.UserText
				}
			}
			got = append(got, fmt.Sprintf("%s %q %d of %q: %q", d.Kind, d.Title, p.Created.Year(), of, d.Text))
		}
	}
	return got
}

func TestDerive_Instructions(t *testing.T) {
	data, err := os.ReadFile("testdata/instructions.json")
	testenv.Must(t, err)
	want := []string{
		`memory "Memory" 2023 of "How long does it rise?": "Owns a starter called Bruno."`,
		`instructions "Custom instructions" 2023 of "": "Bakes with rye.\n\nAnswer in verse."`,
		`memory "What ChatGPT remembers" 2020 of "": "1. Lives by the sea."`,
		`instructions "Custom instructions" 2027 of "": "Answer briefly."`,
	}
	if got := derivedIn(t, data); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	damaged := append(bytes.Clone(data[:bytes.LastIndex(data, []byte("]"))]), `,{"id":"c4","title":`...)
	var all []string
	failed := false
	for p, err := range Conversations(bytes.NewReader(damaged)) {
		if failed = err != nil; p != nil {
			all = append(all, p.Title)
		}
	}
	if !failed || len(all) != 6 {
		t.Errorf("of a file that is cut off came %q, and its error was the last: %t", all, failed)
	}
}

// Texts that are too many to hold are yielded as they come, and each still has one id.
func TestConversations_ManyInstructions(t *testing.T) {
	var export strings.Builder
	for i := range 12 {
		fmt.Fprintf(&export, `%c{"id":"c%d","mapping":{"i":{"id":"i","message":{"id":"i%d","author":{"role":"user"},
			"content":{"content_type":"user_editable_context","user_profile":"%d %s"}}}}}`,
			"[,"[min(i, 1)], i, i, i%6, strings.Repeat("x", maxContexts/4))
	}
	export.WriteString("]")
	times := map[string]int{}
	for p, err := range Conversations(strings.NewReader(export.String())) {
		testenv.Must(t, err)
		if len(p.Derived) > 0 {
			times[p.SourceID]++
		}
	}
	if len(times) != 6 {
		t.Errorf("got %d ids, want 6: %v", len(times), times)
	}
}

func TestUnframed(t *testing.T) {
	for text, want := range map[string]string{
		"The user provided x:\n```Role: baker```":               "Role: baker",
		"The user provided x:\n```Use ``` for code\n```\nafter": "Use ``` for code",
		"The user provided x:\n```Role: baker":                  "Role: baker",
		"The user provided x:\n``````":                          "The user provided x:\n``````",
		"The user provided nothing":                             "The user provided nothing",
		"Use ``` for code ```":                                  "Use ``` for code ```",
		"":                                                      "",
	} {
		if got := unframed(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func FuzzContexts(f *testing.F) {
	data, err := os.ReadFile("testdata/instructions.json")
	testenv.Must(f, err)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		seen := map[string]bool{}
		for p := range Conversations(bytes.NewReader(data)) {
			if p == nil || !slices.ContainsFunc(p.Derived, func(d chat.Derived) bool { return contextTitles["chatgpt_"+string(d.Kind)] == d.Title }) {
				continue
			}
			if seen[p.SourceID] || len(p.Messages) != 1 || len(p.Turns) > 0 {
				t.Errorf("%s comes twice, or is a chat", p.SourceID)
			}
			seen[p.SourceID] = true
		}
	})
}
