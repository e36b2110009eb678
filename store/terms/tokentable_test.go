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
			e := entry{uint32(i), uint16(i), i%2 == 0}
			switch found := table.find(token); {
			case found != nil && *found != model[token]:
				t.Fatalf("%q is %v, want %v", token, *found, model[token])
			case found != nil:
			case model[token] != entry{} || len(token) > maxTokenBytes:
				t.Fatalf("%q is lost", token)
			default:
				table.add(token, e)
				model[token] = e
			}
		}
		for token, e := range model {
			if found := table.find(token); found == nil || *found != e {
				t.Fatalf("%q is %v, want %v", token, found, e)
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
			if table.find(token) != nil {
				t.Fatalf("%q is known before it was added", token)
			}
			table.add(token, entry{at: uint32(n*100 + at)})
		}
	}
	for n := 1; n <= maxTokenBytes; n++ {
		for at := range n {
			token := strings.Repeat("a", at) + "b" + strings.Repeat("a", n-at-1)
			if e := table.find(token); e == nil || e.at != uint32(n*100+at) {
				t.Fatalf("%q is %v", token, e)
			}
		}
	}
}

// The key of longer tokens is only a hash: their bytes decide.
func TestTokenTable_SameHash(t *testing.T) {
	var table tokenTable
	table.add("several bytes", entry{at: 1})
	for i := range table.slots {
		if s := &table.slots[i]; s.length > 0 {
			s.key = table.key("other letters")
			table.slots[table.first(s.key)] = *s
		}
	}
	if e := table.find("other letters"); e != nil {
		t.Errorf("found %v of another token", *e)
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
			if table.find(token) == nil {
				b.Fatal(token)
			}
		}
	}
}
