package retrieval

import (
	"slices"
	"testing"

	"lens/store/terms"
)

// The index has für and fur as one term: how most titles write it tells which it is.
func TestTitles_FunctionWords(t *testing.T) {
	of := func(texts ...string) map[string]bool {
		all := &titles{text: texts, with: make(map[string][]int32)}
		for i, text := range texts {
			for _, term := range slices.Compact(slices.Sorted(slices.Values(terms.Query(text)))) {
				all.with[term] = append(all.with[term], int32(i))
			}
		}
		return all.functionWords()
	}
	if got := of("Brief für die Bank", "Farben für das Bad", "A fur coat"); !got["fur"] || got["bank"] || got["coat"] {
		t.Errorf("mostly German: %v", got)
	}
	if got := of("Brief für die Bank", "A fur coat", "Fur or wool"); got["fur"] {
		t.Errorf("mostly English: %v", got)
	}
	if got := of("Etwas für dich und für mich", "A fur coat", "Fur or wool"); got["fur"] {
		t.Errorf("mostly English, with two für in one title: %v", got)
	}
}
