package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lens/store"
)

// The facts of a turn are what filters by code and model look up.
func ExampleTurn_Facts() {
	t := store.Turn{AssistantText: "Try this:\n```go\nx := 1\n```", Model: "GPT-4o"}
	for _, fact := range t.Facts() {
		fmt.Println(fact.Term)
	}
	// Output:
	// :facts
	// :has=code
	// :model=gpt-4o
}

func TestTurnFacts_Code(t *testing.T) {
	for text, want := range map[string]bool{
		"":                           false,
		"plain":                      false,
		"```":                        true,
		"```go\nx := 1\n```":         true,
		"a\n~~~\nb":                  true,
		"1. Run\n\n   ```sh\n   ls":  true,
		"a\r\n```\r\nb":              true,
		"write ```x``` here":         false,
		"```x``` is code in a line":  false,
		"a\n```` ```x``` ````\nb":    false,
		"`` two":                     false,
		"in a line: ```\nand ~~~":    false,
		"~~~ `x`":                    true,
		strings.Repeat("a ```\n", 9): false,
	} {
		for _, turn := range []store.Turn{{UserText: text}, {AssistantText: text}} {
			if got := has(&turn, store.HasCode); got != want {
				t.Errorf("%q: has code: %t", text, got)
			}
		}
	}
	if !has(&store.Turn{UserText: "x", CodeType: true}, store.HasCode) {
		t.Error("a message of the type code is none")
	}
}

func has(t *store.Turn, fact string) bool {
	return slices.Contains(t.Facts(), store.TermCount{Term: fact, Count: 1})
}

func TestOfModel_ApartFromMetadata(t *testing.T) {
	for _, slug := range []string{"gpt-4o", "Ünï", strings.Repeat("x", 100), "#0123456789abcdef0123456789abcdef", ""} {
		fact := store.OfModel(slug)
		if !store.IsFact(fact) || len(fact) > 64 || fact == store.Fact("model", slug) || fact != store.OfModel(strings.ToUpper(slug)) {
			t.Errorf("%q has the fact %q", slug, fact)
		}
	}
}

// FuzzTurnFacts reads any text and model: a fence is code, and a quotation is none.
func FuzzTurnFacts(f *testing.F) {
	f.Add("a\n  ```go\n", "GPT")
	f.Add("```x```\n~~", "")
	f.Fuzz(func(t *testing.T, text, model string) {
		turn := store.Turn{UserText: text, Model: model}
		facts := turn.Facts()
		for _, fact := range facts {
			if !store.IsFact(fact.Term) || len(fact.Term) > 64 || fact.Count == 0 || strings.ContainsAny(fact.Term, "\x00") {
				t.Fatalf("fact %q", fact.Term)
			}
		}
		quoted := store.Turn{UserText: "> " + strings.ReplaceAll(text, "\n", "\n> "), Model: model}
		if has(&quoted, store.HasCode) {
			t.Fatalf("a quotation of %q has code", text)
		}
		fenced := store.Turn{UserText: text + "\n```\n" + text}
		if !has(&fenced, store.HasCode) {
			t.Fatalf("%q in a fence has no code", text)
		}
	})
}
