package chat

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"lens/store"
)

func TestCount_Speech(t *testing.T) {
	const output = "AWS_SECRET_ACCESS_KEY=abc\n"
	long := strings.Repeat("é \"words\"\n", 3000)
	record := func(words string, results int) []byte {
		return fmt.Appendf(nil, `{"id":"1","content":%q,"result":%q}`, words, strings.Repeat(output, results))
	}
	for name, c := range map[string]struct {
		words     string
		results   int // lines of a tool's output
		kept      bool
		truncated int
	}{
		"words alone":                         {"Done.", 0, true, 0},
		"a short output":                      {"Done.", 3, true, 0},
		"a long output":                       {"Done.", 300_000 / len(output), false, 0},
		"an output just over the limit":       {"Done.", MaxAside/len(output) + 1, false, 0},
		"long words":                          {long, 0, true, 0},
		"long words and a short output":       {long, 3, true, 0},
		"long words and a long output":        {long, MaxAside/len(output) + 1, false, 0},
		"words over the limit of the message": {strings.Repeat(long, 50), 0, false, 1},
	} {
		var count Count
		m := count.Speech(store.Assistant, c.words, record(c.words, c.results))
		kept := !strings.Contains(string(m.Raw), "lens_not_kept")
		if kept != c.kept || m.Text != c.words || count.Truncated != c.truncated {
			t.Errorf("%s: kept: %t, %d of %d bytes of text, %d truncated", name, kept, len(m.Text), len(c.words), count.Truncated)
		}
		if !kept && strings.Contains(string(m.Raw), "SECRET") || !json.Valid(m.Raw) {
			t.Errorf("%s: kept %.200s", name, m.Raw)
		}
	}
}

// What is not kept still tells two records apart.
func TestCount_SpeechThatChanged(t *testing.T) {
	var count Count
	a := count.Speech(store.Assistant, "Done.", []byte(`{"result":"`+strings.Repeat("a", 2*MaxAside)+`"}`))
	b := count.Speech(store.Assistant, "Done.", []byte(`{"result":"`+strings.Repeat("b", 2*MaxAside)+`"}`))
	if string(a.Raw) == string(b.Raw) {
		t.Errorf("both are %s", a.Raw)
	}
}
