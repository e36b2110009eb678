package terms

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTokenTable_LikeAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table tokenTable
		model := map[string]entry{}
		word := rapid.StringMatching(`[ab]{1,10}|x{0,40}[ab]{1,8}|[é猫z]{1,16}`)
		for i, token := range rapid.SliceOfN(word, 1, 400).Draw(t, "tokens") {
			e := entry{uint32(i), uint32(i), i%2 == 0, uint8(i)}
			switch found, known := table.find(token); {
			case known && found != model[token]:
				t.Fatalf("%q is %v, want %v", token, found, model[token])
			case known:
			case model[token] != entry{}:
				t.Fatalf("%q is lost", token)
			case table.add(token, e):
				model[token] = e
			case len(token) <= maxTokenBytes && i < 256:
				t.Fatalf("%q is not added", token)
			}
		}
		for token, e := range model {
			if found, known := table.find(token); !known || found != e {
				t.Fatalf("%q is %v, %t, want %v", token, found, known, e)
			}
		}
	})
}

// Tokens of every length differ from those that are one byte longer, shorter or different.
func TestTokenTable_TellsTokensApart(t *testing.T) {
	var table tokenTable
	for n := 1; n <= maxTokenBytes; n++ {
		for at := range n {
			token := strings.Repeat("a", at) + "b" + strings.Repeat("a", n-at-1)
			if _, known := table.find(token); known {
				t.Fatalf("%q is known before it was added", token)
			}
			table.add(token, entry{at: uint32(n*100 + at)})
		}
	}
	for n := 1; n <= maxTokenBytes; n++ {
		for at := range n {
			token := strings.Repeat("a", at) + "b" + strings.Repeat("a", n-at-1)
			if e, known := table.find(token); !known || e.at != uint32(n*100+at) {
				t.Fatalf("%q is %v, %t", token, e, known)
			}
		}
	}
}

// The key of longer tokens is only a hash: their bytes decide.
func TestTokenTable_SameHash(t *testing.T) {
	var table tokenTable
	table.add("several bytes of text", entry{at: 1})
	for i := range table.slots {
		if s := table.slots[i]; s.length > 0 {
			s.first = table.hash("other letters of text")
			table.put(s)
		}
	}
	if e, known := table.find("other letters of text"); known {
		t.Errorf("found %v of another token", e)
	}
}

func BenchmarkTokenTable(b *testing.B) {
	var table tokenTable
	tokens := make([]string, 20_000)
	for i := range tokens {
		tokens[i] = fmt.Sprintf("%.*s%d", i%12, "internationally", i)
		table.add(tokens[i], entry{at: uint32(i)})
	}
	for b.Loop() {
		for _, token := range tokens {
			if _, known := table.find(token); !known {
				b.Fatal(token)
			}
		}
	}
}
