package offline

import (
	"testing"

	"lens/internal/errs"
)

func FuzzKeywords(f *testing.F) {
	f.Add([]byte("car: [automobile, vehicle]\npartner: [<name>]\nboss: TODO\nempty:\n"))
	f.Add([]byte("a: &a [*a]"))
	f.Add([]byte("\xff\xfe"))
	f.Add([]byte("? [a, b]\n: c"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := parseKeywords(text)
		if err != nil && errs.CodeOf(err) != errs.Invalid {
			t.Fatalf("%v", err)
		}
		for _, called := range s.Of(string(text)) {
			if called.Word == "" || len(called.Adds) == 0 {
				t.Fatalf("an entry without effect: %+v", called)
			}
		}
	})
}
