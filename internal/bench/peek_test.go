//go:build unix

package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store"
	"lens/store/sqlite"
	"lens/store/terms"
	"lens/store/vecindex/vectest"
)

// life writes an archive: conversations of eight turns over eleven years, with texts of some words.
type life struct {
	source   *vectest.Generator
	random   *rand.Rand
	analyzer terms.Analyzer
	begun    time.Time
}

// writeArchive makes an archive with vectors in dir.
func writeArchive(tb testing.TB, dir string, source *vectest.Generator, dim, turns int) {
	tb.Helper()
	s, err := sqlite.Open(tb.Context(), sqlite.Options{Dir: dir})
	must(tb, err)
	l := &life{source: source, random: rand.New(rand.NewPCG(1, 1)), begun: time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC)}
	for written := 0; written < turns; {
		must(tb, s.Update(tb.Context(), func(tx store.Tx) error {
			g, err := tx.PutGeneration(tb.Context(), store.Generation{Provider: "made up", Model: "vectest", Dim: dim, Recipe: store.Recipe})
			if err != nil {
				return err
			}
			for range 100 {
				n, err := l.write(tb.Context(), tx, g)
				if written += n; err != nil {
					return err
				}
			}
			return tx.Activate(tb.Context(), g.ID)
		}))
	}
	must(tb, s.Optimize(tb.Context()))
	must(tb, s.Close())
}

// write adds one conversation, and says how many turns it has.
func (l *life) write(ctx context.Context, tx store.Tx, g store.Generation) (int, error) {
	const turns = 8
	first, err := tx.ReserveOrds(ctx, turns)
	if err != nil {
		return 0, err
	}
	l.begun = l.begun.Add(time.Duration(l.random.Int64N(int64(15 * time.Hour))))
	c := store.Conversation{ID: uuid.New(), Source: store.ChatGPT, Title: l.words(4), Created: l.begun}
	c.SourceID = c.ID.String()
	var ords []store.Ord
	var counts []store.Terms
	var vectors []store.Vector
	for i := range turns {
		user := store.Message{ID: uuid.New(), Seq: 2 * i, Role: store.User, Text: l.words(20), Visible: true, OnPath: true, Raw: []byte("{}")}
		reply := store.Message{ID: uuid.New(), Seq: 2*i + 1, Role: store.Assistant, Text: l.words(120), Visible: true, OnPath: true, Raw: []byte("{}")}
		user.SourceID, reply.SourceID = user.ID.String(), reply.ID.String()
		user.Turn = store.TurnID(user.ID)
		reply.Turn = user.Turn
		c.Messages = append(c.Messages, user, reply)
		count := l.analyzer.Chunk(&store.Turn{UserText: user.Text, AssistantText: reply.Text})
		c.Turns = append(c.Turns, store.Turn{
			ID: user.Turn, Ord: first + store.Ord(i), Conversation: c.ID, UserMessage: user.ID, Assistant: reply.ID, Position: i, OnPath: true,
			Time: l.begun.Add(time.Duration(i) * time.Minute), Length: count.Length(), Embeddable: true,
		})
		ords, counts = append(ords, first+store.Ord(i)), append(counts, count)
		vectors = append(vectors, store.Vector{Turn: user.Turn, Values: l.source.Next(nil)})
	}
	if err := tx.PutConversations(ctx, []store.Conversation{c}); err != nil {
		return 0, err
	}
	if err := tx.PutMessages(ctx, c.ID, c.Messages); err != nil {
		return 0, err
	}
	if err := tx.PutTurns(ctx, c.Turns); err != nil {
		return 0, err
	}
	if err := tx.AddTerms(ctx, ords, counts); err != nil {
		return 0, err
	}
	return turns, tx.PutVectors(ctx, g.ID, vectors)
}

// words are some of 20,000, few of them often.
func (l *life) words(n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(spelled(int(20_000 * l.random.Float64() * l.random.Float64() * l.random.Float64())))
		b.WriteByte(' ')
	}
	return b.String()
}

// spelled is a word for a number: three to nine letters, of which the first is any, as in natural text.
func spelled(n int) string {
	r := rand.New(rand.NewPCG(uint64(n), 0))
	word := make([]byte, 3+r.IntN(7))
	for i := range word {
		word[i] = byte('a' + r.IntN(26))
	}
	return string(word)
}

// asker embeds a query as one of the vectors that were made beforehand: what a provider takes is not measured.
type asker struct{ asked map[string][]float32 }

func (a asker) EmbedQuery(_ context.Context, text string) ([]float32, error) {
	return a.asked[text], nil
}

func (a asker) Model() (provider, name string) { return "made up", "vectest" }

func TestPeekTable(t *testing.T) {
	if !*table {
		t.Skip("SKIPPED: a measurement, made with -args -table")
	}
	turns := *peekTurns
	fmt.Printf("Peek end to end, %d turns in SQLite with vectors of %d dimensions, all cores, by the clock\n", turns, *peekDim)
	source := vectest.New(2, *peekDim)
	dir := t.TempDir()
	writeArchive(t, dir, source, *peekDim, turns)
	l := &life{random: rand.New(rand.NewPCG(3, 3))}
	model := asker{asked: make(map[string][]float32)}
	var asked []string
	for range *queries {
		text := l.words(4)
		asked, model.asked[text] = append(asked, text), source.Query()
	}
	for _, once := range []string{"first", "again"} {
		begun := time.Now()
		s, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir})
		must(t, err)
		_, err = s.Catalog(t.Context())
		must(t, err)
		opened := time.Since(begun)
		_, err = s.Nearest(t.Context(), model.asked[asked[0]], store.Filter{}, top)
		must(t, err)
		fmt.Printf("opened %s: %s ms, first search after %s ms\n", once, ms(opened), ms(time.Since(begun)))
		if once == "again" {
			for _, mode := range []query.Mode{query.Dense, query.Hybrid, query.Keyword} {
				peekAll(t, retrieval.New(s, model), mode, asked)
			}
		}
		must(t, s.Close())
	}
}

// peekAll peeks at all time and at a tenth, at each query twice: the first time embeds it, and touches what it finds.
func peekAll(t *testing.T, e *retrieval.Engine, mode query.Mode, asked []string) {
	since := time.Date(2017, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, q := range map[string]query.Query{"all": {Mode: mode}, "a year": {Mode: mode, Filter: query.Filter{Since: since, Until: since.AddDate(1, 0, 0)}}} {
		var took []time.Duration
		for round := range 4 {
			for _, text := range asked {
				q.Text = text
				begun := time.Now()
				_, err := e.Peek(t.Context(), q)
				must(t, err)
				if round > 0 {
					took = append(took, time.Since(begun))
				}
			}
		}
		slices.Sort(took)
		n := len(took)
		fmt.Printf("%s, %s: p50 %s ms, p95 %s ms, p99 %s ms\n", mode, name, ms(took[n/2]), ms(took[n*95/100]), ms(took[n*99/100]))
	}
}
