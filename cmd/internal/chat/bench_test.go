package chat

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/agent"
	"lens/cmd/internal/datadir"
	"lens/store"
)

// fillSessions saves n sessions of three exchanges each. One of a thousand has a conclusion.
func fillSessions(b *testing.B, dir string, n int) (ids []string) {
	b.Helper()
	s := sessionsIn(b, dir)
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	must(b, s.folder.With(func(h datadir.Home) error {
		db, err := h.OpenSessions(b.Context(), s.database, true)
		return use(db, err, func(db store.Sessions) error {
			return db.Update(b.Context(), func(tx store.SessionsTx) error {
				for i := range all {
					one := manyExchanges(i)
					if _, err := s.put(b.Context(), tx, store.Session{}, one); err != nil {
						return err
					}
					ids = append(ids, one.ID)
				}
				return nil
			})
		})
	}))
	return ids
}

func manyExchanges(i int) agent.Session {
	one := agent.Session{
		ID: uuid.NewString(), Name: fmt.Sprint("About bread ", i), Created: asked, Updated: asked.Add(time.Duration(i) * time.Minute),
	}
	for e := range 3 {
		one.Exchanges = append(one.Exchanges, agent.Exchange{
			Question: "When did I bake bread?", Answer: fmt.Sprintf("%01000d [1] [2]", i), Asked: asked.Add(time.Duration(e)),
			Citations:  []agent.Citation{{N: 1, TurnID: uuid.NewString()}, {N: 2, TurnID: uuid.NewString()}},
			Conclusion: e == 0 && i%1000 == 0,
		})
	}
	return one
}

// BenchmarkSessions measures what must not depend on how many sessions there are, and what reads an index of all of
// them. LENS_BENCH=full adds 100,000 sessions to 100.
func BenchmarkSessions(b *testing.B) {
	sizes := []int{100}
	if os.Getenv("LENS_BENCH") == "full" {
		sizes = append(sizes, 100_000)
	}
	for _, n := range sizes {
		dir := b.TempDir()
		ids := fillSessions(b, dir, n)
		s := sessionsIn(b, dir)
		middle := agent.SessionPage{Limit: 50, After: &agent.SessionSummary{
			ID: ids[n/2], Updated: asked.Add(time.Duration(n/2) * time.Minute),
		}}
		for name, do := range map[string]func(i int) error{
			"list": func(int) error { return second(s.List(b.Context(), agent.SessionPage{Limit: 50})) },
			"next": func(int) error { return second(s.List(b.Context(), middle)) },
			"read": func(i int) error { return second(s.Session(b.Context(), ids[i*7919%n])) },
			"change": func(i int) error {
				return second(s.Change(b.Context(), ids[i*7919%n], func(one *agent.Session) { one.Updated = time.Now() }))
			},
			"conclusions": func(int) error { return second(s.Conclusions(b.Context())) },
			"forget":      func(int) error { return second(s.Forget(func(uuid.UUID) bool { return false })) },
		} {
			b.Run(fmt.Sprintf("%s/sessions=%d", name, n), func(b *testing.B) {
				took := make([]time.Duration, 0, 1000)
				for i := 0; b.Loop(); i++ {
					begun := time.Now()
					must(b, do(i))
					took = append(took, time.Since(begun))
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			})
		}
	}
}

func second[T any](_ T, err error) error { return err }

// BenchmarkTakeOver takes over 1,000 sessions of an older Lens.
func BenchmarkTakeOver(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		h := datadir.Home{Dir: b.TempDir()}
		must(b, os.MkdirAll(h.Path(datadir.ChatsFolder), 0o700))
		for i := range 1000 {
			one := manyExchanges(i)
			text, err := json.Marshal(one)
			must(b, err)
			must(b, os.WriteFile(h.Path(datadir.ChatsFolder)+"/"+one.ID+".json", text, 0o600))
		}
		s := sessionsIn(b, h.Dir)
		b.StartTimer()
		must(b, second(s.List(b.Context(), agent.SessionPage{Limit: 50})))
	}
}
