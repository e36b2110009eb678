package retrieval_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store"
	"lens/store/terms"
)

// parse reads a query as people type it.
func parse(t testing.TB, text string) query.Query {
	t.Helper()
	q, notices, err := query.Parse(text, midnight(2025, 1, 1))
	if err != nil || len(notices) > 0 {
		t.Fatalf("%s: %q, %v", text, notices, err)
	}
	return q
}

// plain writes the words of a text one after the other, each with a blank on either side.
func plain(text string) string {
	b := []byte(" ")
	for word := range terms.Words(text) {
		b = append(append(b, word...), ' ')
	}
	return string(b)
}

func says(t *store.Turn, phrase string) bool {
	return strings.Contains(plain(t.UserText), plain(phrase)) || strings.Contains(plain(t.AssistantText), plain(phrase))
}

// stems reports whether a text has one of a query's terms.
func stems(text, words string) bool {
	wanted := terms.Query(words)
	return slices.ContainsFunc(new(terms.Analyzer).Document(text), func(c store.TermCount) bool {
		return slices.Contains(wanted, c.Term)
	})
}

func hasEntity(t *store.Turn, value string) bool {
	return t.Chunk != nil && strings.Contains(string(t.Chunk.Meta), `"entity":"`+value+`"`)
}

// filters are queries, and what lets a turn through. Without words all turns are selected that pass, with words those
// that have one of them.
var filters = []struct {
	query  string
	passes func(t *store.Turn) bool
}{
	{"since:2023-05", func(t *store.Turn) bool { return !t.Time.Before(midnight(2023, 5, 1)) }},
	{"until:2023-05", func(t *store.Turn) bool { return !t.Time.IsZero() && t.Time.Before(midnight(2023, 5, 1)) }},
	{"source:documents source:chunks", func(t *store.Turn) bool { return t.Source.Service() != store.ChatGPT }},
	{"-source:chunks", func(t *store.Turn) bool { return t.Source != store.Chunks }},
	{"kind:document kind:record", func(t *store.Turn) bool { return t.Chunk != nil && !t.Source.Derived() }},
	{"-kind:record", func(t *store.Turn) bool { return t.Source != store.Chunks }},
	{"title:docker", func(t *store.Turn) bool { return stems(t.Title, "docker") }},
	{"-title:docker", func(t *store.Turn) bool { return !stems(t.Title, "docker") }},
	{"title:the", func(t *store.Turn) bool { return strings.Contains(plain(t.Title), " the ") }},
	{"model:gpt-4", func(t *store.Turn) bool { return strings.EqualFold(t.Model, "gpt-4") }},
	{"model:GPT-4 model:gpt-4o", func(t *store.Turn) bool { return t.Model == "gpt-4" || t.Model == "gpt-4o" }},
	{"-model:gpt-4", func(t *store.Turn) bool { return t.Model != "gpt-4" }},
	{"has-code:yes", func(t *store.Turn) bool { return hasCode(t) }},
	{"-has-code:yes", func(t *store.Turn) bool { return !hasCode(t) }},
	{"has-code:no source:chatgpt", func(t *store.Turn) bool { return !hasCode(t) && t.Source.Service() == store.ChatGPT }},
	{"branches:yes", func(*store.Turn) bool { return true }},
	{"min-words:20", func(t *store.Turn) bool { return wordsIn(t) >= 20 }},
	{"min-words:20 branches:yes", func(t *store.Turn) bool { return wordsIn(t) >= 20 }},
	{"server min-words:20 -docker", func(t *store.Turn) bool {
		return stems(t.UserText+"\n"+t.AssistantText, "server") && wordsIn(t) >= 20 && !says(t, "docker")
	}},
	{"tag:acme", func(t *store.Turn) bool { return t.Chunk != nil && t.Chunk.Document.ClientTag == "acme" }},
	{"-tag:acme", func(t *store.Turn) bool { return t.Chunk == nil || t.Chunk.Document.ClientTag != "acme" }},
	{"meta:entity=roll", func(t *store.Turn) bool { return hasEntity(t, "roll") }},
	{"meta:entity=roll meta:entity=bun", func(*store.Turn) bool { return false }},
	{"-meta:entity=roll -meta:entity=bun", func(t *store.Turn) bool { return !hasEntity(t, "roll") && !hasEntity(t, "bun") }},
	{"-bread", func(t *store.Turn) bool { return !says(t, "bread") }},
	{"-running", func(t *store.Turn) bool { return !says(t, "running") }},
	{`-"how do i"`, func(t *store.Turn) bool { return !says(t, "how do I") }},
	{`-"to the" -bread`, func(t *store.Turn) bool { return !says(t, "to the") && !says(t, "bread") }},
	{`"rises with yeast"`, func(t *store.Turn) bool { return says(t, "rises with yeast") }},
	{`"to the"`, func(t *store.Turn) bool { return says(t, "to the") }},
	{`"Number 7" "yeast"`, func(t *store.Turn) bool { return says(t, "number 7") && says(t, "yeast") }},
	{`"bread" role:user`, func(t *store.Turn) bool { return strings.Contains(plain(t.UserText), " bread ") }},
	{`"bread" role:assistant`, func(t *store.Turn) bool { return strings.Contains(plain(t.AssistantText), " bread ") }},
	{"bread", func(t *store.Turn) bool { return stems(t.UserText+"\n"+t.AssistantText, "bread") }},
	{"rise -rises", func(t *store.Turn) bool { return stems(t.UserText+"\n"+t.AssistantText, "rise") && !says(t, "rises") }},
	{"test server role:user", func(t *store.Turn) bool { return stems(t.UserText, "test server") }},
	{"test server role:assistant", func(t *store.Turn) bool { return stems(t.AssistantText, "test server") }},
	{"server has-code:yes -docker since:2023-05", func(t *store.Turn) bool {
		return stems(t.UserText+"\n"+t.AssistantText, "server") && hasCode(t) && !says(t, "docker") && !t.Time.Before(midnight(2023, 5, 1))
	}},
}

// wordsIn counts the terms of a turn's texts, with repetitions.
func wordsIn(t *store.Turn) int {
	return terms.Length(new(terms.Analyzer).Document(t.UserText, t.AssistantText))
}

func hasCode(t *store.Turn) bool {
	return strings.Contains("\n"+t.UserText+"\n"+t.AssistantText, "\n```")
}

// Both stores select the turns that pass, no other, for every filter, alone and with words in every mode; and their
// answers are equal to the last digit.
func TestEngine_FiltersInBothStores(t *testing.T) {
	model, files := scriptedModel(t), corpus(t)
	first, second := openSQLite(t), openPostgres(t)
	lite, full := fill(t, first, files, model), fill(t, second, files, model)
	for _, c := range append(filters, conversationFilters(t, first)...) {
		q := parse(t, c.query)
		q.TopK = new(query.MaxTopK)
		if q.HasWords() {
			q.Mode = query.Keyword
		}
		want := passing(t, first, q, c.passes)
		for name, e := range map[string]*retrieval.Engine{"SQLite": lite, "Postgres": full} {
			got, err := e.Selected(t.Context(), q)
			if err != nil || !slices.Equal(got.IDs, want) {
				t.Errorf("%s: %s: %d turns (%v), want %d", name, c.query, len(got.IDs), err, len(want))
			}
		}
		if len(want) == 0 && !strings.Contains(c.query, "entity") {
			t.Errorf("%s lets nothing through", c.query)
		}
		for _, mode := range modesOf(q) {
			q.TopK, q.Mode = nil, mode
			for _, words := range []string{q.Text, strings.TrimSpace(q.Text + " make bread rise")} {
				if a, b := answer(t, lite, words, q), answer(t, full, words, q); a != b {
					t.Errorf("%s, %q, %s:\nSQLite   %s\nPostgres %s", c.query, words, mode, a, b)
				}
			}
		}
		for _, e := range []*retrieval.Engine{lite, full} {
			checkListings(t, e, q)
		}
	}
}

// Beside phrases, exclusions and other filters, a least similarity leaves the same turns in both stores: those of them
// that are that similar.
func TestEngine_SimilarityInBothStores(t *testing.T) {
	model, files := scriptedModel(t), corpus(t)
	lite, full := fill(t, openSQLite(t), files, model), fill(t, openPostgres(t), files, model)
	for _, text := range []string{
		"server", "server -docker", `server -"to the"`, `bread "rises with yeast"`, `yeast "to the"`, "server has-code:yes -docker",
		"server -title:docker", "server since:2023-05 -docker min-words:5", "how test server role:assistant -docker",
	} {
		q := parse(t, text)
		q.TopK, q.Snippets = new(query.MaxTopK), new(query.MaxSnippets)
		if q.Mode = query.Dense; q.Filter.Role != "" {
			q.Mode = query.Hybrid
		}
		all := peek(t, lite, q.Text, q).Matches
		least := middleSimilarity(all)
		want := similar(all, least)
		q.Filter.MinSimilarity = &least
		for name, e := range map[string]*retrieval.Engine{"SQLite": lite, "Postgres": full} {
			p := peek(t, e, q.Text, q)
			if got := similar(p.Matches, least); !slices.Equal(got, want) || len(p.Matches) != len(want) || len(want) == len(all) {
				t.Errorf("%s: %s: %d of %d turns have at least %.3f, want %d of %d", name, text, len(got), len(p.Matches), least, len(want), len(all))
			}
		}
		for _, mode := range []query.Mode{q.Mode, query.Hybrid} {
			q.Mode = mode
			if a, b := answer(t, lite, q.Text, q), answer(t, full, q.Text, q); a != b {
				t.Errorf("%s, %s, at least %.3f:\nSQLite   %s\nPostgres %s", text, mode, least, a, b)
			}
		}
	}
}

// middleSimilarity returns the similarity that half of the matches have.
func middleSimilarity(matches []retrieval.Match) float64 {
	var all []float64
	for _, m := range matches {
		if m.Similarity != nil {
			all = append(all, *m.Similarity)
		}
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// similar returns the turns among matches that are similar enough, by their ids: hybrid ranks fewer turns in another
// order.
func similar(matches []retrieval.Match, least float64) []uuid.UUID {
	var ids []uuid.UUID
	for _, m := range matches {
		if m.Similarity != nil && *m.Similarity >= least {
			ids = append(ids, m.TurnID)
		}
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	return ids
}

// checkListings compares Browse and Activity, which have no words, with each other.
func checkListings(t *testing.T, e *retrieval.Engine, q query.Query) {
	t.Helper()
	b, err := e.Browse(t.Context(), q, retrieval.BrowseOptions{})
	testenv.Must(t, err)
	a, err := e.Activity(t.Context(), q)
	testenv.Must(t, err)
	if a.Histogram.Total != b.Total || a.Histogram.Undated != b.Undated {
		t.Errorf("%s: activity counts %d turns, %d undated; browse %d, %d", q, a.Histogram.Total, a.Histogram.Undated, b.Total, b.Undated)
	}
	if !q.HasWords() {
		selected, err := e.Selected(t.Context(), q)
		if err != nil || len(selected.IDs) != b.Total {
			t.Errorf("%s: peek counts %d turns (%v), browse %d", q, len(selected.IDs), err, b.Total)
		}
	}
}

// modesOf returns the modes that q can be asked in.
func modesOf(q query.Query) []query.Mode {
	if q.Filter.Role != "" {
		return []query.Mode{query.Keyword, query.Hybrid}
	}
	return []query.Mode{query.Keyword, query.Dense, query.Hybrid}
}

type filterCase = struct {
	query  string
	passes func(t *store.Turn) bool
}

// conversationFilters are filters by two conversations of an archive, and by words of a title.
func conversationFilters(t *testing.T, st store.Store) []filterCase {
	t.Helper()
	c, err := st.Catalog(t.Context())
	testenv.Must(t, err)
	a, b := c.Conversations[0], c.Conversations[1]
	all, err := st.Conversations(t.Context(), c.Conversations)
	testenv.Must(t, err)
	var words []string
	for _, conversation := range all {
		if words = terms.Query(conversation.Title); len(words) > 1 {
			break
		}
	}
	return []filterCase{
		{"conversation:" + a.String(), func(t *store.Turn) bool { return t.Conversation == a }},
		{"-conversation:" + b.String(), func(t *store.Turn) bool { return t.Conversation != b }},
		{fmt.Sprintf("title:%q", strings.Join(words, " ")), func(t *store.Turn) bool {
			return stems(t.Title, words[0]) && stems(t.Title, words[1])
		}},
	}
}

// passing returns the turns that pass, in order of time.
func passing(t *testing.T, st store.Store, q query.Query, passes func(*store.Turn) bool) []uuid.UUID {
	t.Helper()
	ids := []uuid.UUID{}
	for turn, err := range st.EachTurn(t.Context(), store.Filter{AllBranches: q.Filter.Branches}) {
		testenv.Must(t, err)
		if passes(&turn) {
			ids = append(ids, turn.ID)
		}
	}
	return ids
}

func TestPeek_FiltersAlone(t *testing.T) {
	e := retrieval.New(kitchen(), &words{})
	p := peek(t, e, "", query.Query{Filter: query.Filter{Since: day("2023-02-01")}, TopK: new(2), Mode: query.Dense, Snippets: new(3)})
	if p.Histogram.Total != 5 || len(p.Times) != 5 || p.Coverage.Matching != 5 || p.Coverage.Truncated || p.Mode != query.Keyword {
		t.Errorf("%d turns at %d times, %s, %+v", p.Histogram.Total, len(p.Times), p.Mode, p.Coverage)
	}
	if got := strings.Join(titlesAndDates(p), ", "); got != "Later 2024-03-06, Later 2024-03-05, Bread 2023-04-02" {
		t.Error(got)
	}
	for _, m := range p.Matches {
		if m.Score != nil || m.Similarity != nil {
			t.Errorf("score %v, similarity %v", m.Score, m.Similarity)
		}
	}
	if p.Query != "" || p.Notice != "" || p.Titles == nil || len(p.Titles) > 0 {
		t.Errorf("%+v", p)
	}
}

func TestPeek_ExclusionOfAWordNotItsStem(t *testing.T) {
	turns := slices.Concat(
		conversationOf("a", [3]string{"2023-01-01", "docker and django", ""}),
		conversationOf("b", [3]string{"2023-01-02", "docker and Djangos", ""}),
		conversationOf("c", [3]string{"2023-01-03", "docker and DjangoRest", "my-DJANGO_app"}),
		conversationOf("d", [3]string{"2023-01-04", "docker and DjangoRest", ""}),
	)
	for _, mode := range []query.Mode{query.Keyword, query.Hybrid, query.Dense} {
		q := parse(t, "docker -django")
		q.Mode = mode
		p := peek(t, retrieval.New(newFakeSource(1, turns), &words{}), q.Text, q)
		if p.Coverage.Candidates != 2 || p.Query != "docker" {
			t.Errorf("%s: %d candidates of %q", mode, p.Coverage.Candidates, p.Query)
		}
		for _, m := range p.Matches {
			if m.Title != "b" && m.Title != "d" {
				t.Errorf("%s finds %s: %s", mode, m.Title, m.UserSnippet)
			}
		}
	}
}

// A phrase stands on one side of a turn, across punctuation and line breaks.
func TestPeek_PhraseWithinOneSide(t *testing.T) {
	turns := slices.Concat(
		conversationOf("yes", [3]string{"2023-01-01", "Docker\n(compose) files", "ok"}),
		conversationOf("two sides", [3]string{"2023-01-02", "my docker", "compose is better"}),
		conversationOf("stem", [3]string{"2023-01-03", "docker composes", "docker composed"}),
		conversationOf("reply", [3]string{"2023-01-04", "what?", "use docker-compose"}),
	)
	e := retrieval.New(newFakeSource(1, turns), nil)
	for text, want := range map[string]string{
		`"docker compose"`:                "reply yes",
		`"docker compose" role:user`:      "yes",
		`"docker compose" role:assistant`: "reply",
		`-"docker compose"`:               "stem two sides",
		`docker role:assistant`:           "reply stem",
	} {
		var got []string
		q := parse(t, text)
		for _, m := range peek(t, e, q.Text, q).Matches {
			got = append(got, m.Title)
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// The words of a phrase are ranked; one of common words ranks nothing, and is listed by time.
func TestPeek_PhraseOfCommonWords(t *testing.T) {
	turns := slices.Concat(
		conversationOf("old", [3]string{"2023-01-01", "Hamlet: to be, or not to be", "that is the question"}),
		conversationOf("none", [3]string{"2023-01-02", "to be and not", "or be"}),
		conversationOf("new", [3]string{"2023-01-03", "To be or not to be", ""}),
	)
	e := retrieval.New(newFakeSource(1, turns), &words{})
	q := parse(t, `"to be or not to be"`)
	p := peek(t, e, "", q)
	if got := strings.Join(titlesAndDates(p), ", "); got != "new 2023-01-03, old 2023-01-01" || p.Matches[0].Score != nil {
		t.Errorf("%s, score %v", got, p.Matches[0].Score)
	}
	if p.Notice != "Common words are not indexed, so all texts were searched." {
		t.Error(p.Notice)
	}
	if p := peek(t, e, "hamlet", q); len(p.Matches) != 1 || p.Matches[0].Title != "old" || p.Matches[0].Score == nil {
		t.Errorf("with a word: %v", titlesAndDates(p))
	}
}

func TestPeek_MinSimilarity(t *testing.T) {
	e := retrieval.New(kitchen(), &words{})
	for _, mode := range []query.Mode{query.Dense, query.Hybrid} {
		all := peek(t, e, "sourdough starter", query.Query{Mode: mode})
		least := .3
		want := 0
		for _, m := range all.Matches {
			if m.Similarity != nil && *m.Similarity >= least {
				want++
			}
		}
		p := peek(t, e, "sourdough starter", query.Query{Mode: mode, Filter: query.Filter{MinSimilarity: &least}})
		if len(p.Matches) != want || want == 0 || want == len(all.Matches) || p.Coverage.Candidates != want {
			t.Errorf("%s: %d of %d are that similar, not %d", mode, len(p.Matches), len(all.Matches), want)
		}
	}
	half := .5
	_, err := retrieval.New(kitchen(), nil).Peek(t.Context(), query.Query{Text: "bread", Filter: query.Filter{MinSimilarity: &half}})
	if errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("without a model: %v", err)
	}
	for _, q := range []query.Query{{Text: "bread", Mode: query.Keyword}, {}} {
		q.Filter.MinSimilarity = &half
		if _, err := e.Peek(t.Context(), q); errs.CodeOf(err) != errs.Invalid {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

// Words are counted on both sides, each time they occur, common ones only where there are no others; in scripts without
// spaces, pairs are.
func TestPeek_MinWords(t *testing.T) {
	turns := slices.Concat(
		conversationOf("two sides", [3]string{"2023-01-01", "the cat saw the other cat", "on a mat"}),
		conversationOf("one side", [3]string{"2023-01-02", "black cats sleep", "and so on"}),
		conversationOf("pairs", [3]string{"2023-01-03", "ひらがな", ""}),
		conversationOf("nothing", [3]string{"2023-01-04", "", ""}),
	)
	e := retrieval.New(newFakeSource(1, turns), nil)
	for text, want := range map[string]string{
		"min-words:1": "one side, pairs, two sides", "min-words:3": "one side, pairs, two sides", "min-words:4": "one side, two sides",
		"min-words:6": "one side", "min-words:7": "", "cat min-words:4 -black": "two sides",
	} {
		var got []string
		q := parse(t, text)
		p := peek(t, e, q.Text, q)
		for _, m := range p.Matches {
			got = append(got, m.Title)
		}
		slices.Sort(got)
		if strings.Join(got, ", ") != want || len(p.Peaks) > 0 {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestPeek_Titles(t *testing.T) {
	turns := slices.Concat(
		conversationOf("Docker compose", [3]string{"2023-01-01", "How?", "So."}, [3]string{"2023-02-01", "And?", "So."}),
		conversationOf("Docker, compose and django", [3]string{"2023-01-02", "How?", "So."}),
		conversationOf("Compose music", [3]string{"2023-01-03", "docker compose", "So."}),
	)
	for i := range 6 {
		turns = append(turns, conversationOf(fmt.Sprint("A long talk about invoices ", i), [3]string{"2023-01-02", "How?", "So."})...)
	}
	e := retrieval.New(newFakeSource(1, turns), nil)
	for text, want := range map[string]string{
		"docker":                  "Docker compose; Docker, compose and django",
		"docker -django":          "Docker compose",
		`"docker compose"`:        "Docker compose; Docker, compose and django",
		`"compose docker"`:        "",
		"docker since:2023-01-15": "Docker compose",
		"compose role:user":       "Docker compose; Compose music; Docker, compose and django",
		"title:compose":           "",
		"docker title:django":     "Docker, compose and django",
	} {
		q := parse(t, text)
		var got []string
		for _, title := range peek(t, e, q.Text, q).Titles {
			got = append(got, title.Title)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if p := peek(t, e, "invoice", query.Query{}); len(p.Titles) != 5 {
		t.Errorf("%d titles", len(p.Titles))
	}
}

// manyTurns has n turns with the words, of which every second has the phrase.
func manyTurns(n int) *fakeSource {
	var turns []store.Turn
	for i := range n {
		text := "docker without compose"
		if i%2 == 0 {
			text = "the docker compose file"
		}
		if i%100 == 0 {
			text += " docker docker docker"
		}
		date := midnight(2020, 1, 1).Add(time.Duration(i) * 12 * time.Hour).Format(time.DateOnly)
		turns = append(turns, conversationOf(fmt.Sprint("talk ", i), [3]string{date, text, "ok"})...)
	}
	return newFakeSource(1, turns)
}

// A quick search reads the best texts only, and a notice has both numbers. In a narrower window it is exact.
func TestPeek_Quick(t *testing.T) {
	e := retrieval.New(manyTurns(1600), nil)
	q := parse(t, `"docker compose"`)
	q.TopK, q.Quick = new(query.MaxTopK), true
	p := peek(t, e, "", q)
	if p.LeftOut != "Of 1600 turns whose texts decide, the best 200 were read; the others are left out." || !p.Partial {
		t.Error(p.LeftOut, p.Partial)
	}
	if n := p.Histogram.Total; n < 70 || n > 130 {
		t.Errorf("%d turns have the phrase", n)
	}
	q.Filter.Since, q.Filter.Until = midnight(2020, 3, 1), midnight(2020, 5, 1)
	if p := peek(t, e, "", q); p.Histogram.Total != 61 || p.LeftOut != "" || p.Partial {
		t.Errorf("in a window %d turns have the phrase; %s", p.Histogram.Total, p.Notice)
	}
	without := parse(t, `-"docker compose"`)
	without.Quick = true
	p = peek(t, e, "", without)
	if n := p.Histogram.Total; n < 70 || n > 130 || !p.Partial {
		t.Errorf("%d turns are without the phrase; %s", n, p.Notice)
	}
	b, err := e.Browse(t.Context(), without, retrieval.BrowseOptions{})
	if err != nil || !b.Partial || b.Notice != p.LeftOut {
		t.Errorf("browsing: %v, notice %q", err, b.Notice)
	}
	activity, err := e.Activity(t.Context(), without)
	if err != nil || activity.Notice != p.LeftOut {
		t.Errorf("activity: %v, notice %q", err, activity.Notice)
	}
	for _, q := range []query.Query{q, without} {
		q.Quick, q.Filter.Since, q.Filter.Until = false, time.Time{}, time.Time{}
		if p := peek(t, e, "", q); p.Histogram.Total != 800 || p.LeftOut != "" || p.Partial {
			t.Errorf("%s: %d turns without haste; %s", q, p.Histogram.Total, p.Notice)
		}
	}
}

// What several searches have to say is said once.
func TestCompare_Notice(t *testing.T) {
	e := retrieval.New(manyTurns(600), nil)
	one, two := parse(t, `docker -compose`), parse(t, `-compose`)
	one.Quick, two.Quick = true, true
	c, err := e.Compare(t.Context(), []query.Query{one, two, one})
	if err != nil {
		t.Fatal(err)
	}
	byWords := strings.TrimSpace(strings.TrimSuffix(c.Peeks[0].Notice, c.Peeks[0].LeftOut))
	if want := byWords + " " + c.Peeks[0].LeftOut; c.Notice != want || byWords == "" || c.Peeks[1].LeftOut != c.Peeks[0].LeftOut {
		t.Errorf("%q, want %q", c.Notice, want)
	}
	months := retrieval.Window{Since: midnight(2020, 1, 1), Until: midnight(2020, 3, 1)}
	contrast, err := e.Contrast(t.Context(), one, months, retrieval.Window{Since: months.Until})
	if err != nil || !strings.Contains(contrast.Notice, "Of 600 turns") || strings.Count(contrast.Notice, byWords) != 1 {
		t.Errorf("%v, notice %q", err, contrast.Notice)
	}
}

func TestPeek_ZoomReadsNoTextAgain(t *testing.T) {
	a, read := manyTurns(300), new(atomic.Int64)
	a.vanish = func(ids []uuid.UUID) { read.Add(int64(len(ids))) }
	e := retrieval.New(a, nil)
	q := parse(t, `"docker compose" -"compose file docker"`)
	q.Snippets = new(0)
	peek(t, e, "", q)
	first := read.Load()
	q.Filter.Since = midnight(2020, 2, 1)
	peek(t, e, "", q)
	if first == 0 || read.Load() != first {
		t.Errorf("%d texts were read, then %d", first, read.Load()-first)
	}
}

func TestRetrieve_RefusesOtherFilters(t *testing.T) {
	e := retrieval.New(kitchen(), &words{})
	for _, text := range []string{"x title:y", "x -y", `"x"`, "x source:claude", "x model:y", "x has-code:yes", "x branches:yes", "x min-words:2", "x -meta:a=b", "x tag:y", "x meta:a=b meta:a=c"} {
		if _, err := e.Retrieve(t.Context(), parse(t, text), retrieval.RetrieveOptions{}); errs.CodeOf(err) != errs.Invalid {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A line break inside a phrase is a blank, not the end of the phrase.
func TestPeek_PhraseWithLineBreak(t *testing.T) {
	total := func(e *retrieval.Engine, phrases ...string) int {
		return peek(t, e, "", query.Query{Phrases: phrases, Snippets: new(0), TopK: new(query.MaxTopK)}).Histogram.Total
	}
	a := manyTurns(300)
	e := retrieval.New(a, nil)
	one, two := total(e, "docker\ncompose"), total(e, "docker", "compose")
	if want := total(retrieval.New(a, nil), "docker", "compose"); two != want || one >= two {
		t.Errorf("one phrase finds %d turns, two find %d, want %d", one, two, want)
	}
}
