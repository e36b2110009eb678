package retrieval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/demo"
	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store"
	"lens/store/archivetest"
	"lens/store/postgres"
	"lens/store/postgres/pgtest"
	"lens/store/terms"
)

func TestCheck_RowsThatPass(t *testing.T) {
	st := archivetest.New(t, testenv.Demo(t, demo.Options{Turns: 600}))
	a, err := New(st, nil).snapshot(t.Context())
	testenv.Must(t, err)
	phrase := terms.NewPhrase("to the")
	in := func(user, assistant string) bool { return phrase.In(user) || phrase.In(assistant) }
	var rows, want []int32
	for row := a.Len() - 1; row >= 0; row-- {
		turns, err := st.Turns(t.Context(), []uuid.UUID{a.ID[row]})
		testenv.Must(t, err)
		rows = append(rows, int32(row))
		if in(turns[0].UserText, turns[0].AssistantText) {
			want = append(want, int32(row))
		}
	}
	if len(want) < 10 || len(want) > len(rows)-10 {
		t.Fatalf("%d of %d turns have the phrase, which proves little", len(want), len(rows))
	}
	for name, source := range map[string]Source{"texts alone": st, "whole turns": struct{ Source }{st}} {
		got, err := (&turnTexts{source: source}).check(t.Context(), a, rows, in)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %v (%v), want %v", name, got, err, want)
		}
		canceled, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := (&turnTexts{source: source}).check(canceled, a, rows, in); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, canceled: %v", name, err)
		}
	}
	testenv.Must(t, st.Update(t.Context(), func(tx store.Tx) error {
		_, err := tx.Forget(t.Context(), a.Conversations[:1])
		return err
	}))
	for name, source := range map[string]Source{"texts alone": st, "whole turns": struct{ Source }{st}} {
		if _, err := (&turnTexts{source: source}).check(t.Context(), a, rows, in); errs.CodeOf(err) != errs.NotFound {
			t.Errorf("%s, of a turn that is gone: %v", name, err)
		}
	}
}

// BenchmarkCheck measures reading texts of real length (2 KB) and looking for a phrase in them: the texts alone, and
// whole turns.
func BenchmarkCheck(b *testing.B) {
	turns := 3000
	if os.Getenv("LENS_BENCH") == "full" {
		turns = 100_000
	}
	export := longDemo(b, turns)
	b.Run("sqlite", func(b *testing.B) { benchmarkChecks(b, archivetest.New(b, export)) })
	b.Run("postgres", func(b *testing.B) {
		st, err := postgres.Open(b.Context(), postgres.Options{URL: pgtest.Database(b)})
		testenv.Must(b, err)
		defer st.Close()
		archivetest.Import(b, st, export)
		benchmarkChecks(b, st)
	})
}

func benchmarkChecks(b *testing.B, st store.Store) {
	testenv.Must(b, st.Optimize(b.Context()))
	a, err := New(st, nil).snapshot(b.Context())
	testenv.Must(b, err)
	phrase := terms.NewPhrase("to be or not to be")
	in := func(user, assistant string) bool { return phrase.In(user) || phrase.In(assistant) }
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{500, 1000, 5000, 100_000} {
		if n > a.Len() {
			continue
		}
		for _, way := range []struct {
			name   string
			source Source
		}{{"texts", st}, {"turns", struct{ Source }{st}}} {
			texts := &turnTexts{source: way.source}
			b.Run(fmt.Sprintf("%d/%s", n, way.name), func(b *testing.B) {
				var took []time.Duration
				for b.Loop() {
					rows := make([]int32, n)
					for i, row := range random.Perm(a.Len())[:n] {
						rows[i] = int32(row)
					}
					began := time.Now()
					_, err := texts.check(b.Context(), a, rows, in)
					testenv.Must(b, err)
					took = append(took, time.Since(began))
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[0].Microseconds())/1000, "best-ms")
				b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
				b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
			})
		}
	}
}

// longDemo writes a synthetic export whose replies are as long as people's chats have them: 2 KB at the mean.
func longDemo(b *testing.B, turns int) (path string) {
	b.Helper()
	file, err := os.Open(testenv.Demo(b, demo.Options{Turns: turns}))
	testenv.Must(b, err)
	defer file.Close()
	path = filepath.Join(b.TempDir(), "conversations.json")
	out, err := os.Create(path)
	testenv.Must(b, err)
	defer out.Close()
	random := rand.New(rand.NewPCG(1, 2))
	var replies []string
	lengthen := func(node any) {
		message, _ := node.(map[string]any)["message"].(map[string]any)
		author, _ := message["author"].(map[string]any)
		content, _ := message["content"].(map[string]any)
		parts, _ := content["parts"].([]any)
		if author["role"] != "assistant" || len(parts) == 0 {
			return
		}
		text, _ := parts[0].(string)
		replies = append(replies, text)
		for wanted := 1300 * math.Exp(random.NormFloat64()*0.9); text != "" && float64(len(text)) < wanted; {
			text += "\n\n" + replies[random.IntN(len(replies))]
		}
		parts[0] = text
	}
	conversations := json.NewDecoder(file)
	_, err = conversations.Token()
	testenv.Must(b, err)
	separator := "["
	for conversations.More() {
		var c map[string]any
		testenv.Must(b, conversations.Decode(&c))
		mapping := c["mapping"].(map[string]any)
		for _, id := range slices.Sorted(maps.Keys(mapping)) {
			lengthen(mapping[id])
		}
		text, err := json.Marshal(c)
		testenv.Must(b, err)
		_, err = fmt.Fprintf(out, "%s%s", separator, text)
		testenv.Must(b, err)
		separator = ",\n"
	}
	_, err = out.WriteString("]")
	testenv.Must(b, err)
	return path
}
