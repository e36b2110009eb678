package quality

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/embed"
	"lens/retrieval/query"
	"lens/retrieval/rank"
	"lens/store"
	"lens/store/archivetest"
	"lens/store/sqlite"
	"lens/store/terms"
)

// archive is an export that was imported and, where there is a model, embedded.
type archive struct {
	*sqlite.Store
	engine    *retrieval.Engine
	questions *embed.Cache           // embeds each question once, for the archive and its shards
	records   map[string]uuid.UUID   // turns by the ids of their records, if it has any
	published []*retrieval.Retriever // of an archive of records with a model, once as one shard and once as several
	embedded  speed
}

// speed is how many turns were embedded in what time.
type speed struct {
	turns int
	took  time.Duration
}

// open imports the export at path into a fresh archive.
func open(t *testing.T, path string, model embed.Embedder) *archive {
	t.Helper()
	st := archivetest.New(t, path)
	if model == nil {
		return &archive{Store: st, engine: retrieval.New(st, nil)}
	}
	started := time.Now()
	archivetest.Embed(t, st, model)
	took := time.Since(started)
	generations, err := st.Generations(t.Context())
	testenv.Must(t, err)
	questions := embed.NewCache(model, 1000)
	return &archive{
		Store: st, engine: retrieval.New(st, questions), questions: questions,
		embedded: speed{generations[0].Vectors, took},
	}
}

// checkStandsOut asks the 641 embedded turns of the real export about something that few of them mention. Each of them is
// near to any question, but only what stands out may be found.
func (a *archive) checkStandsOut(t *testing.T, text string) {
	t.Helper()
	generations, err := a.Generations(t.Context())
	testenv.Must(t, err)
	if g := generations[0]; len(generations) != 1 || g.Vectors != 641 || g.Dim != 512 || g.Model != "use-lite" {
		t.Errorf("embedded: %+v", generations)
	}
	found, err := a.engine.Peek(t.Context(), query.Query{Text: text})
	testenv.Must(t, err)
	if total := found.Histogram.Total; total == 0 || total > 100 || found.Mode != query.Hybrid || found.Coverage.Embedded != 1 {
		t.Errorf("%d turns found by %s, in %+v", total, found.Mode, found.Coverage)
	}
}

// plain is the baseline: BM25 alone, which the engine does not offer.
const plain query.Mode = "BM25"

// ask returns the turns found, best first, and their conversations.
func (a *archive) ask(ctx context.Context, text string, mode query.Mode) (turns, conversations []uuid.UUID, err error) {
	switch mode {
	case plain:
		return a.askPlain(ctx, text)
	case denseChunks:
		return a.askChunks(ctx, text, query.Dense)
	case hybridChunks:
		return a.askChunks(ctx, text, query.Hybrid)
	}
	found, err := a.engine.Peek(ctx, query.Query{Text: text, Mode: mode, Dates: query.DatesSoft, Snippets: new(depth)})
	if err != nil {
		return nil, nil, err
	}
	for _, m := range found.Matches {
		turns, conversations = append(turns, m.TurnID), append(conversations, m.Conversation)
	}
	return turns, conversations, nil
}

func (a *archive) askPlain(ctx context.Context, query string) (turns, conversations []uuid.UUID, err error) {
	c, err := a.Catalog(ctx)
	if err != nil {
		return nil, nil, err
	}
	postings, err := a.Postings(ctx, terms.Query(query))
	if err != nil {
		return nil, nil, err
	}
	var lists []rank.PostingList
	for _, p := range postings {
		list := rank.PostingList{Counts: p.Counts}
		for _, ord := range p.Ords {
			row, _ := c.Row(ord) // alive: the archive was written once
			list.Rows = append(list.Rows, int32(row))
		}
		lists = append(lists, list)
	}
	columns := columnsOf(c)
	eligible := rank.NewRows(c.Len())
	for row, flags := range c.Flags {
		if flags&store.FlagOnPath != 0 {
			eligible.Add(int32(row))
		}
	}
	scores, _ := rank.TurnScores(columns, lists, rank.BM25())
	for _, h := range rank.Top(columns, rank.Query{Turns: scores, Eligible: eligible, K: depth}, rank.BM25()).Hits {
		turns, conversations = append(turns, c.ID[h.Row]), append(conversations, c.Conversations[c.Conversation[h.Row]])
	}
	return turns, conversations, nil
}

func columnsOf(c *store.Catalog) *rank.Columns {
	return &rank.Columns{
		Length: c.Length, TotalLength: c.TotalLength, Prev: c.Prev, Next: c.Next,
		Conversation: c.Conversation, Conversations: len(c.Conversations),
	}
}
