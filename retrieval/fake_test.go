package retrieval_test

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/retrieval/embed/embedtest"
	"lens/store"
	"lens/store/terms"
)

const dim = 64

// fakeSource is a Source in memory: a few turns, indexed and embedded as a store would.
type fakeSource struct {
	catalog     *store.Catalog
	turns       map[uuid.UUID]store.Turn
	postings    map[string]store.Postings
	vectors     map[store.Ord][]byte
	generations []store.Generation
	embedded    map[uuid.UUID]store.Embedded // of turns whose embedded text is not that of a fresh vector

	postingReads, vectorReads atomic.Int64
	vanish                    func(ids []uuid.UUID) // called before turns are read
	fail                      error                 // returned by every vector read
}

// newFakeSource keeps turns, which get ids, ordinals and lengths. Their vectors are those of embedtest.
func newFakeSource(version int64, turns []store.Turn) *fakeSource {
	a := &fakeSource{turns: map[uuid.UUID]store.Turn{}, postings: map[string]store.Postings{}, vectors: map[store.Ord][]byte{}}
	rows := make([]store.CatalogRow, len(turns))
	var analyzer terms.Analyzer
	for i := range turns {
		t := &turns[i]
		t.Ord = store.Ord(i + 1)
		if t.UserMessage == uuid.Nil {
			t.UserMessage = uuid.NewSHA1(uuid.Nil, fmt.Append(nil, "message ", i))
		}
		t.ID = store.TurnID(t.UserMessage)
		t.Embeddable = t.UserText != "" && t.AssistantText != ""
		counts := analyzer.Turn(t)
		t.Length = counts.Length()
		for term, n := range counts.All() {
			p := a.postings[term]
			a.postings[term] = store.Postings{Ords: append(p.Ords, t.Ord), Counts: append(p.Counts, n)}
		}
		rows[i] = rowOf(t)
		a.turns[t.ID] = *t
		if t.Embeddable {
			a.vectors[t.Ord] = store.Halves(embedtest.Vector(t.EmbeddedText(), dim))
		}
	}
	a.catalog = store.NewCatalog(version, rows)
	a.generations = []store.Generation{{ID: 1, Provider: "test", Model: "words", Dim: dim, Active: true, Vectors: len(a.vectors)}}
	return a
}

func rowOf(t *store.Turn) store.CatalogRow {
	r := store.CatalogRow{
		Ord: t.Ord, ID: t.ID, Conversation: t.Conversation, Position: int32(t.Position), Length: int32(t.Length), Source: t.Source,
		Undated: t.TimeSource == store.Undated,
	}
	if !r.Undated {
		r.Time = store.Micros(t.Time)
	}
	if t.OnPath {
		r.Flags |= store.FlagOnPath
	}
	if t.Embeddable {
		r.Flags |= store.FlagEmbeddable
	}
	return r
}

func (a *fakeSource) Catalog(ctx context.Context) (*store.Catalog, error) {
	return a.catalog, ctx.Err()
}

func (a *fakeSource) Postings(_ context.Context, terms []string) ([]store.Postings, error) {
	a.postingReads.Add(1)
	lists := make([]store.Postings, len(terms))
	for i, term := range terms {
		lists[i] = a.postings[term]
	}
	return lists, nil
}

func (a *fakeSource) Nearest(_ context.Context, query []float32, f store.Filter, k int) ([]store.Neighbor, error) {
	a.vectorReads.Add(1)
	var near []store.Neighbor
	var facts []store.Postings
	for _, fact := range f.Facts() {
		facts = append(facts, a.postings[fact])
	}
	for row := range a.catalog.Scope(f, facts).Rows() {
		ord := a.catalog.Ord[row]
		if v, ok := a.vectors[ord]; ok {
			near = append(near, store.Neighbor{Ord: ord, Similarity: store.Dot(query, v)})
		}
	}
	slices.SortFunc(near, func(a, b store.Neighbor) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Ord, b.Ord))
	})
	return near[:min(k, len(near))], a.fail
}

func (a *fakeSource) Similarities(_ context.Context, query []float32, ords []store.Ord) ([]float64, error) {
	out := make([]float64, len(ords))
	for i, ord := range ords {
		out[i] = math.NaN()
		if v, ok := a.vectors[ord]; ok {
			out[i] = store.Dot(query, v)
		}
	}
	return out, a.fail
}

func (a *fakeSource) Vector(_ context.Context, ord store.Ord) ([]float32, error) {
	row, ok := a.vectors[ord]
	if !ok {
		return nil, a.fail
	}
	vector := make([]float32, len(row)/2)
	for i := range vector {
		vector[i] = store.Widen(binary.LittleEndian.Uint16(row[2*i:]))
	}
	return vector, a.fail
}

func (a *fakeSource) Turns(_ context.Context, ids []uuid.UUID) ([]store.Turn, error) {
	if a.vanish != nil {
		a.vanish(ids)
	}
	turns := make([]store.Turn, len(ids))
	for i, id := range ids {
		t, ok := a.turns[id]
		if !ok {
			return nil, &errs.Error{Code: errs.NotFound, Op: "fake: turns"}
		}
		turns[i] = t
	}
	return turns, nil
}

func (a *fakeSource) Conversations(_ context.Context, ids []uuid.UUID) ([]store.Conversation, error) {
	titles := map[uuid.UUID]string{}
	for _, t := range a.turns {
		titles[t.Conversation] = t.Title
	}
	found := make([]store.Conversation, len(ids))
	for i, id := range ids {
		found[i] = store.Conversation{ID: id, Title: titles[id]}
	}
	return found, a.fail
}

func (a *fakeSource) Answers(_ context.Context, conversation, userMessage uuid.UUID) (answers []store.Answer, err error) {
	for id, t := range a.turns {
		if t.Conversation == conversation && t.UserMessage == userMessage {
			answers = append(answers, store.Answer{Turn: id, First: t.Assistant})
		}
	}
	slices.SortFunc(answers, func(x, y store.Answer) int { return a.turns[x.Turn].Position - a.turns[y.Turn].Position })
	return answers, a.fail
}

func (a *fakeSource) FindAnswer(_ context.Context, id uuid.UUID) (uuid.UUID, error) {
	for turn, t := range a.turns {
		if id == store.AnswerID(t.UserMessage, t.Assistant) {
			return turn, nil
		}
	}
	return uuid.Nil, &errs.Error{Code: errs.NotFound, Message: "no such answer"}
}

func (a *fakeSource) Messages(context.Context, uuid.UUID) ([]store.Message, error) {
	return nil, a.fail
}

func (a *fakeSource) FindTurns(_ context.Context, prefix string, limit int) ([]uuid.UUID, error) {
	var ids []uuid.UUID
	for id := range a.turns {
		if strings.HasPrefix(id.String(), prefix) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	return ids[:min(limit, len(ids))], nil
}

func (a *fakeSource) Generations(context.Context) ([]store.Generation, error) {
	return a.generations, nil
}

// without returns the archive as of a later commit, without one turn.
func (a *fakeSource) without(id uuid.UUID) *fakeSource {
	var left []store.Turn
	for _, t := range a.turns {
		if t.ID != id {
			left = append(left, t)
		}
	}
	slices.SortFunc(left, func(a, b store.Turn) int { return cmp.Compare(a.Ord, b.Ord) })
	return newFakeSource(a.catalog.Version+1, left)
}

// words embeds queries as embedtest does, and counts them.
type words struct {
	asked atomic.Int64
	model string
	dim   int
	fail  error
}

func (w *words) Model() (provider, name string) { return "test", cmp.Or(w.model, "words") }

func (w *words) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	w.asked.Add(1)
	if err := cmp.Or(w.fail, ctx.Err()); err != nil {
		return nil, err
	}
	return embedtest.Vector(text, cmp.Or(w.dim, dim)), nil
}

var errDown = errors.New("down")

// day returns noon of a day.
func day(date string) time.Time {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		panic(err)
	}
	return t.Add(12 * time.Hour)
}

// conversationOf returns the turns of one conversation, a date each; "" is undated.
func conversationOf(title string, exchanges ...[3]string) []store.Turn {
	turns := make([]store.Turn, len(exchanges))
	for i, x := range exchanges {
		turns[i] = store.Turn{
			Conversation: uuid.NewSHA1(uuid.Nil, []byte(title)), Title: title, Source: store.ChatGPT, Position: i, OnPath: true,
			UserText: x[1], AssistantText: x[2], Assistant: uuid.NewSHA1(uuid.Nil, []byte(title+x[0]+x[1])), Model: "gpt-4o",
			UserMessage: uuid.NewSHA1(uuid.Nil, []byte("user "+title+x[0]+x[1])), TimeSource: store.Undated,
		}
		if x[0] != "" {
			turns[i].Time, turns[i].TimeSource = day(x[0]), store.FromMessage
		}
	}
	return turns
}

// kitchen is a small archive: bread over two years, code in between, one turn undated, one off the path, one without a reply.
func kitchen() *fakeSource {
	turns := slices.Concat(
		conversationOf("Bread",
			[3]string{"2023-01-10", "My sourdough starter smells of acetone", "It is hungry: feed the starter more often, with more flour."},
			[3]string{"2023-01-11", "And the crust stays soft", "Bake with steam first, then let it dry with the oven door ajar."},
			[3]string{"2023-04-02", "Can a sourdough starter be frozen?", "A starter survives freezing; dry it for longer."}),
		conversationOf("Go",
			[3]string{"2023-02-01", "How do I cancel a request in Go?", "Use context.WithCancel and pass the context to the request."},
			[3]string{"2023-02-01", "What does ERR_42 mean?", "ERR_42 is the code for a context that was cancelled."}),
		conversationOf("Later",
			[3]string{"2024-03-05", "Sourdough again: how warm?", "A sourdough starter likes 26 degrees."},
			[3]string{"", "An old note about rye sourdough", "Rye makes a lively starter."},
			[3]string{"2024-03-06", "thanks for the sourdough", ""}),
	)
	turns[1].OnPath = false
	turns[2].Summary = "Freezing a starter works."
	return newFakeSource(1, turns)
}

func (a *fakeSource) Tags(context.Context) ([]string, error) { return nil, a.fail }

func (a *fakeSource) Models(context.Context) ([]string, error) {
	var models []string
	for _, turn := range a.turns {
		if m := turn.Model; m != "" && !slices.Contains(models, m) {
			models = append(models, m)
		}
	}
	slices.Sort(models)
	return models, nil
}

func (a *fakeSource) Embedded(_ context.Context, turns []uuid.UUID) ([]store.Embedded, error) {
	all := make([]store.Embedded, len(turns))
	for i, id := range turns {
		t := a.turns[id]
		if a.vectors[t.Ord] == nil {
			continue
		}
		e, other := a.embedded[id]
		if !other {
			text := t.EmbeddedText()
			e = store.Embedded{Text: text, Content: store.ContentHash(text), UsedSummary: t.Summary != ""}
		}
		e.Turn, e.Generation = id, a.generations[0].ID
		all[i] = e
	}
	return all, nil
}
