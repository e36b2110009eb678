package offline_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lens/internal/errs"
	"lens/retrieval/offline"
)

const sample = `# whoever asks for the word on the left also finds what is on the right
car: [automobile, vehicle]
Machine Learning: ML
partner: [<name of your partner>]
boss: TODO
empty:
half: ["{…}", filled]
`

func TestKeywords_SynonymsAndPlaceholders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keywords.yaml")
	write(t, path, sample)
	f := bread()
	r, _ := retriever(f, func(o *offline.Options) { o.Keywords = inFile(path) })
	for query, want := range map[string][]string{
		"my cars":                       {"automobile", "vehicle"},
		"machines that learn":           {"ML"},
		"machine":                       {},
		"partner and boss":              {},
		"half a machine learning's car": {"ML", "automobile", "filled", "vehicle"},
	} {
		found, err := r.Search(context.Background(), query, offline.SearchOptions{})
		if err != nil || !slices.Equal(f.synonyms, want) && len(f.synonyms)+len(want) > 0 {
			t.Errorf("%s: %v, want %v; %v", query, f.synonyms, want, err)
		}
		if want := []string{"partner", "boss", "empty"}; !slices.Equal(found.Explain.Placeholders, want) {
			t.Errorf("placeholders %v", found.Explain.Placeholders)
		}
	}
}

func inFile(path string) *offline.Keywords {
	return offline.NewKeywords(func() ([]byte, error) { return offline.ReadKeywords(path) })
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestKeywords_Reload(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keywords.yaml")
	k := inFile(path)
	for _, step := range []struct {
		text  string
		valid bool
		adds  int
	}{{"", true, 0}, {"car: bus", true, 1}, {"car: van", true, 1}, {"car: [", false, 0}, {"car: [van, bus]", true, 2}} {
		if step.text != "" {
			write(t, path, step.text)
		}
		s, err := k.Current()
		if (err == nil) != step.valid {
			t.Fatalf("%q: %v", step.text, err)
		}
		adds := 0
		for _, called := range s.Of("car") {
			adds += len(called.Adds)
		}
		if adds != step.adds {
			t.Errorf("%q adds %d", step.text, adds)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if s, err := k.Current(); err != nil || len(s.Of("car")) != 0 {
		t.Errorf("without the file: %v, %v", s, err)
	}
}

func TestKeywords_Invalid(t *testing.T) {
	for text, line := range map[string]int{
		"- a\n- b":                               1,
		"a: b\nc: {d: e}":                        2,
		"a: b\nA: c":                             2,
		"a: [b, [c]]":                            1,
		"'!!!': b":                               1,
		"a: '...!'":                              1,
		"x: &x [b]\ny: *x":                       2,
		"a: \"b\\u0007\"":                        1,
		strings.Repeat("a", 65) + ": b":          1,
		"a: [" + strings.Repeat("b, ", 33) + "]": 1,
		"a: b: c":                                0,
		strings.Repeat("# long\n", 10_000):       0,
	} {
		path := filepath.Join(t.TempDir(), "keywords.yaml")
		write(t, path, text)
		_, err := inFile(path).Current()
		var wrong *errs.Error
		if !errors.As(err, &wrong) || wrong.Code != errs.Invalid {
			t.Errorf("%.40q: %v", text, err)
			continue
		}
		says := "" // no line
		if line > 0 {
			says = fmt.Sprintf("line %d: ", line)
		}
		if !strings.HasPrefix(wrong.Message, says) || (line == 0) == strings.HasPrefix(wrong.Message, "line ") {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}
