package retrieval

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"lens/internal/lru"
	"lens/internal/testenv"
	"lens/retrieval/query"
	"lens/store"
	"lens/store/archivetest"
	"lens/store/postgres"
	"lens/store/postgres/pgtest"
	"lens/store/terms"
)

// BenchmarkQuery measures queries with phrases, exclusions and filters over turns of real length: 100,000 with
// LENS_BENCH=full, in both stores. No text that a query has read is remembered for the next.
func BenchmarkQuery(b *testing.B) {
	turns := 3000
	if os.Getenv("LENS_BENCH") == "full" {
		turns = 100_000
	}
	export := longDemo(b, turns)
	b.Run("sqlite", func(b *testing.B) { benchmarkQueries(b, archivetest.New(b, export)) })
	b.Run("postgres", func(b *testing.B) {
		st, err := postgres.Open(b.Context(), postgres.Options{URL: pgtest.Database(b)})
		testenv.Must(b, err)
		defer st.Close()
		archivetest.Import(b, st, export)
		benchmarkQueries(b, st)
	})
}

func benchmarkQueries(b *testing.B, st store.Store) {
	testenv.Must(b, st.Optimize(b.Context()))
	e := New(st, nil)
	a, err := e.snapshot(b.Context())
	testenv.Must(b, err)
	s := newSpeaker(b, st, a)
	for _, kind := range s.kinds(b, e) {
		queries := make([]query.Query, 50)
		for i := range queries {
			queries[i] = kind.make()
		}
		b.Run(kind.name, func(b *testing.B) { benchmarkKind(b, e, queries) })
		for i := range queries {
			queries[i].Quick = true
		}
		b.Run(kind.name+"/quick", func(b *testing.B) { benchmarkKind(b, e, queries) })
	}
}

func benchmarkKind(b *testing.B, e *Engine, queries []query.Query) {
	var took []time.Duration
	left := 0
	for n := 0; b.Loop(); n++ {
		e.filter.texts.verdicts = lru.Cache[versioned, *verdicts]{}
		began := time.Now()
		p, err := e.Peek(b.Context(), queries[n%len(queries)])
		testenv.Must(b, err)
		took = append(took, time.Since(began))
		if strings.Contains(p.Notice, "left out") {
			left++
		}
	}
	slices.Sort(took)
	for name, at := range map[string]int{"p50-ms": len(took) / 2, "p95-ms": len(took) * 95 / 100} {
		b.ReportMetric(float64(took[at].Microseconds())/1000, name)
	}
	b.ReportMetric(100*float64(left)/float64(len(took)), "%incomplete")
}

// speaker makes queries of what an archive's texts say.
type speaker struct {
	random *rand.Rand
	texts  [][]string // words
	titles []string
	models []string
	a      *snapshot
}

func newSpeaker(b *testing.B, st store.Store, a *snapshot) *speaker {
	b.Helper()
	s := &speaker{random: rand.New(rand.NewPCG(1, 2)), a: a}
	var sample []int32
	for range 300 {
		sample = append(sample, int32(s.random.IntN(a.Len())))
	}
	for _, row := range sample {
		turns, err := st.Turns(b.Context(), a.Catalog.ID[row:row+1])
		testenv.Must(b, err)
		var words []string
		for word := range terms.Words(turns[0].AssistantText) {
			words = append(words, string(word))
		}
		if len(words) > 10 {
			s.texts = append(s.texts, words)
		}
		s.titles = append(s.titles, turns[0].Title)
		if turns[0].Model != "" {
			s.models = append(s.models, turns[0].Model)
		}
	}
	return s
}

// word returns a word that is not common, as texts have them.
func (s *speaker) word() string {
	for {
		text := s.texts[s.random.IntN(len(s.texts))]
		if word := text[s.random.IntN(len(text))]; len(terms.Required(word)) > 0 && len(word) > 3 {
			return word
		}
	}
}

// phrase returns n words that follow each other; accept judges how many turns have them all.
func (s *speaker) phrase(b *testing.B, e *Engine, n int, accept func(turns int) bool) string {
	phrase := ""
	for range 2000 {
		text := s.texts[s.random.IntN(len(s.texts))]
		at := s.random.IntN(len(text) - n)
		phrase = strings.Join(text[at:at+n], " ")
		required := terms.Required(phrase)
		if len(required) == 0 {
			continue
		}
		lists, err := e.words.lists(b.Context(), s.a, required)
		testenv.Must(b, err)
		if accept(len(intersectAll(lists))) {
			break
		}
	}
	return phrase
}

type kind struct {
	name string
	make func() query.Query
}

// filtered are a word and a filter.
func (s *speaker) filtered(name string, set func(f *query.Filter)) kind {
	return kind{name, func() query.Query {
		q := query.Literal(s.word() + " " + s.word())
		set(&q.Filter)
		return q
	}}
}

func (s *speaker) kinds(b *testing.B, e *Engine) []kind {
	phrase := func(n int, accept func(int) bool) func() query.Query {
		return func() query.Query { return query.Query{Phrases: []string{s.phrase(b, e, n, accept)}} }
	}
	yes, no := true, false
	window := s.a.pathTimes
	month := func(f *query.Filter) {
		f.Since = fromSecond(window[s.random.IntN(len(window))])
		f.Until = f.Since.AddDate(0, 1, 0)
	}
	return []kind{
		s.filtered("plain", func(*query.Filter) {}),
		{"exclusion", func() query.Query { return query.Query{Text: s.word(), Without: []string{s.word()}} }},
		{"exclusion-alone", func() query.Query { return query.Query{Without: []string{s.word()}} }},
		{"phrase-rare", phrase(3, func(n int) bool { return n > 0 && n < 200 })},
		{"phrase-common", phrase(2, func(n int) bool { return n > s.a.Len()/20 })},
		{"phrase-stop-words", func() query.Query { return query.Query{Phrases: []string{"to be or not to be"}} }},
		s.filtered("since-until", month),
		s.filtered("source", func(f *query.Filter) { f.Sources.In = []string{"chatgpt"} }),
		s.filtered("source-not", func(f *query.Filter) { f.Sources.Not = []string{"claude"} }),
		s.filtered("conversation", func(f *query.Filter) {
			f.Conversations.Add(s.a.Catalog.Conversations[s.random.IntN(len(s.a.Catalog.Conversations))], false)
		}),
		s.filtered("title", func(f *query.Filter) { f.Titles.In = terms.Query(s.one(s.titles))[:1] }),
		s.filtered("title-not", func(f *query.Filter) { f.Titles.Not = terms.Query(s.one(s.titles))[:1] }),
		s.filtered("model", func(f *query.Filter) { f.Models.In = []string{s.one(s.models)} }),
		s.filtered("model-not", func(f *query.Filter) { f.Models.Not = []string{s.one(s.models)} }),
		s.filtered("role-user", func(f *query.Filter) { f.Role = query.User }),
		s.filtered("role-assistant", func(f *query.Filter) { f.Role = query.Assistant }),
		s.filtered("has-code", func(f *query.Filter) { f.HasCode = &yes }),
		s.filtered("has-no-code", func(f *query.Filter) { f.HasCode = &no }),
		s.filtered("branches", func(f *query.Filter) { f.Branches = true }),
		s.filtered("tag-not", func(f *query.Filter) { f.Tags.Not = []string{"acme"} }),
		s.filtered("meta-not", func(f *query.Filter) { f.Meta.Not = []query.Pair{{Key: "entity", Value: "acme"}} }),
		{"has-code-alone", func() query.Query { return query.Query{Filter: query.Filter{HasCode: &yes}} }},
		{"since-alone", func() query.Query { return query.Query{Filter: query.Filter{Since: fromSecond(window[0])}} }},
	}
}

func (s *speaker) one(all []string) string { return all[s.random.IntN(len(all))] }
