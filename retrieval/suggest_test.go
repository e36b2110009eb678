package retrieval_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store"
)

func TestPeek_TitleCount(t *testing.T) {
	turns := slices.Concat(
		conversationOf("Sourdough starters for beginners", [3]string{"2023-01-01", "How?", "Flour and water."}, [3]string{"2023-01-02", "And then?", "Wait."}),
		conversationOf("A starter", [3]string{"2024-01-01", "Smells", "Good."}),
		conversationOf("Starter", [3]string{"2022-01-01", "Smells", "Good."}),
		conversationOf("Car", [3]string{"2024-01-01", "The starter is broken", "Oh."}),
	)
	for i := range 7 {
		turns = append(turns, conversationOf(fmt.Sprint("Yeast ", i), [3]string{fmt.Sprintf("2023-01-%02d", i+1), "How?", "So."})...)
	}
	e := retrieval.New(newFakeSource(1, turns), nil)
	for name, c := range map[string]struct {
		text  string
		opts  query.Query
		count int
		want  []string
	}{
		"the shortest first, then the latest": {"starter", query.Query{}, 3, []string{"A starter", "Starter", "Sourdough starters for beginners"}},
		"every word must be there":            {"starter sourdough", query.Query{}, 1, []string{"Sourdough starters for beginners"}},
		"a window leaves out what is not in":  {"starter", query.Query{Filter: query.Filter{Until: day("2023-01-02")}}, 2, []string{"Starter", "Sourdough starters for beginners"}},
		"a word of turns is in no title":      {"broken", query.Query{}, 0, nil},
		"five of seven":                       {"yeast", query.Query{}, 7, []string{"Yeast 6", "Yeast 5", "Yeast 4", "Yeast 3", "Yeast 2"}},
	} {
		p := peek(t, e, c.text, c.opts)
		var got []string
		for _, title := range p.Titles {
			got = append(got, title.Title)
		}
		if p.TitleCount != c.count || !slices.Equal(got, c.want) {
			t.Errorf("%s: %d, %q", name, p.TitleCount, got)
		}
	}
}

// Where no title has all words, few may have the rarest.
func TestPeek_TitlesWithTheRarestWord(t *testing.T) {
	talk := func(n int, title, text string) (turns []store.Turn) {
		for i := range n {
			date := fmt.Sprintf("2023-01-%02d", i+1)
			turns = append(turns, conversationOf(title+strings.Repeat(" ", i), [3]string{date, text, "So."})...)
		}
		return turns
	}
	turns := slices.Concat(
		talk(1, "Interview struggles of a freelancer", "It leads to nothing."), talk(1, "An interview", "What job?"),
		talk(9, "Spark", "Why does the job fail? It exits."), talk(1, "Job of the night", "Why does the job fail?"),
		talk(1, "Marathon, the plan", "Why run?"), talk(1, "Marathon: 3:58:41", "How?"),
		talk(7, "Yeast", "How?"), talk(1, "Bread", "Which yeast, which flour, which oven?"), talk(20, "Oven", "Which oven?"),
	)
	e := retrieval.New(newFakeSource(1, turns), nil)
	for text, want := range map[string]string{
		"did I ever ask about a job interview?": "2 interview: Interview struggles of a freelancer; An interview",
		"Interviews for jobs":                   "2 Interviews: Interview struggles of a freelancer; An interview",
		"interview -struggles job":              "1 interview: An interview",
		"interview struggle":                    "1 : Interview struggles of a freelancer",
		"run a maraton for an interview":        "2 interview: An interview; Interview struggles of a freelancer",
		"run a maraton":                         "0 : ",
		"run a marathon":                        "2 marathon: Marathon: 3:58:41; Marathon, the plan",
		"job exits":                             "0 : ", // the rarest is in no title
		"yeast oven":                            "0 : ", // in seven titles
		"interview in May 1987":                 "2 interview: An interview; Interview struggles of a freelancer",
		`"job" interview`:                       "0 : ",
	} {
		q := parse(t, text)
		p := peek(t, e, q.Text, q)
		var got []string
		for _, title := range p.Titles {
			got = append(got, title.Title)
		}
		if all := fmt.Sprintf("%d %s: %s", p.TitleCount, p.TitleWord, strings.Join(got, "; ")); all != want {
			t.Errorf("%s: %q, want %q", text, all, want)
		}
	}
}

func TestCompleteTitle(t *testing.T) {
	turns := slices.Concat(
		conversationOf("Rust service notes", [3]string{"2023-01-01", "How?", "So."}),
		conversationOf("Learning Rust", [3]string{"2024-06-01", "How?", "So."}),
		conversationOf("Rusty pans", [3]string{"2024-01-01", "How?", "So."}),
		conversationOf("Rust service notes", [3]string{"2022-01-01", "How?", "So."}),
		conversationOf("Trust in Städte", [3]string{"", "How?", "So."}),
		conversationOf("", [3]string{"2024-07-01", "Rust?", "So."}),
	)
	e := retrieval.New(newFakeSource(1, turns), nil)
	for begun, want := range map[string][]string{
		"ru":           {"Rusty pans", "Rust service notes", "Learning Rust"},
		"RUST":         {"Rusty pans", "Rust service notes", "Learning Rust"},
		"rust, serv":   {"Rust service notes"},
		"notes":        {"Rust service notes"},
		"stadt":        {"Trust in Städte"},
		"rust notes":   nil,
		"ust":          nil,
		"":             {"Learning Rust", "Rusty pans", "Rust service notes", "Trust in Städte"},
		"service note": {"Rust service notes"},
	} {
		if got, err := e.CompleteTitle(t.Context(), begun, 9); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v, want %q", begun, got, err, want)
		}
	}
	if got, err := e.CompleteTitle(t.Context(), "ru", 2); err != nil || len(got) != 2 {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestSuggest(t *testing.T) {
	e := retrieval.New(kitchen(), nil)
	for query, want := range map[string]string{
		"sourdough":             "",                    // known
		"suordough":             "sourdough",           // swapped
		"sourdogh":              "sourdough",           // a letter missing
		"sourdoughh":            "sourdough",           // a letter too many
		"Sourbough starter":     "sourdough starter",   // another
		"frezing a starter":     "freezing a starter",  // an inflection
		"what about sourdouhg?": "",                    // not a word: it has a question mark
		"what about":            "",                    // stop words are not looked up
		"zeppelin":              "",                    // nothing is near
		"rxe":                   "",                    // too short
		"sourdogh suordough":    "sourdough sourdough", // both
		"ERR_43":                "",                    // identifiers are not corrected
		"日本語 sourdogh":          "日本語 sourdough",       // other scripts stay
		"  frozn   starter ":    "frozen starter",      // spaces do not matter
	} {
		got, err := e.Suggest(t.Context(), query)
		if err != nil || got != want {
			t.Errorf("%q: %q, not %q (%v)", query, got, want, err)
		}
	}
}

func FuzzSuggest(f *testing.F) {
	for _, query := range []string{"sourdogh", "a b", "日本", "\xff", "suordough oven-door"} {
		f.Add(query)
	}
	e := retrieval.New(kitchen(), nil)
	f.Fuzz(func(t *testing.T, query string) {
		got, err := e.Suggest(t.Context(), query)
		if err != nil || got == "" {
			return
		}
		if got == query || len(strings.Fields(got)) != len(strings.Fields(query)) {
			t.Fatalf("%q for %q", got, query)
		}
		if again, err := e.Suggest(t.Context(), got); err == nil && again != "" && len(strings.Fields(query)) <= 3 {
			t.Fatalf("%q for %q, and then %q", got, query, again)
		}
	})
}

// A suggestion is a word as it is written, not the stem by which it is found.
func TestSuggest_WholeWords(t *testing.T) {
	e := retrieval.New(newFakeSource(1, slices.Concat(
		conversationOf("Stew", [3]string{"2023-01-01", "How long do Lentils cook?", "Lentils take half an hour; lentils are done when soft."}),
		conversationOf("Rust", [3]string{"2023-01-02", "A cancellation token?", "The cancellation is asynchronous."}),
		conversationOf("Cats", [3]string{"2023-01-03", "What kind of care do cats need?", "This kind of care, so far."}),
	)), nil)
	for typed, want := range map[string]string{"lentik": "lentils", "lentls": "lentils", "lentlis": "lentils", "cancelation": "", "cancellatoin": "cancellation", "career": "", "kids": "", "fear": ""} {
		if got, err := e.Suggest(t.Context(), typed); err != nil || got != want {
			t.Errorf("for %q, %q is suggested, not %q (%v)", typed, got, want, err)
		}
	}
}

// Other forms of a German word are known, and short words are near to others by chance.
func TestSuggest_KnownInAnotherForm(t *testing.T) {
	e := retrieval.New(newFakeSource(1, slices.Concat(
		conversationOf("Umzug", [3]string{"2023-01-01", "Welche Häuser haben dort einen Garten?", "Es gibt nur zwei, und beide sind sehr alt."}),
		conversationOf("Cars", [3]string{"2023-01-02", "What is a hausen, and what is a dict?", "It is not a word that I have ever heard of."}),
	)), nil)
	for typed, want := range map[string]string{"Gaerten": "garten", "hauses": "", "diet": ""} {
		if got, err := e.Suggest(t.Context(), typed); err != nil || got != want {
			t.Errorf("for %q, %q is suggested, not %q (%v)", typed, got, want, err)
		}
	}
}
