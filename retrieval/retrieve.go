package retrieval

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"time"

	"lens/internal/errs"
	"lens/retrieval/query"
	"lens/store"
	"lens/store/terms"
)

// The limits of RetrieveOptions, and what its zero values mean.
const (
	DefaultK = 5
	MaxK     = 50
)

// RetrieveOptions shapes a retrieval. The zero value is usable.
type RetrieveOptions struct {
	K         int     // 1..50; 0: 5
	Threshold float64 // 0..1: the least score of a result
}

// Retrieved holds the chunks that answer a query best.
type Retrieved struct {
	Query   string            `json:"query"`
	K       int               `json:"k"`
	Filters map[string]string `json:"filters"` // as they were understood; times in RFC 3339
	Results []RetrievedChunk  `json:"results"` // best first
	Model   RetrievalModel    `json:"model"`
	Timing  Timing            `json:"timing_ms"`
}

// RetrievedChunk is one result. In dense mode its score is the cosine. In hybrid mode it is α·d³ + (1−α)·b, 0..1,
// where d is the cosine scaled to 0..1 over the candidates, and b the BM25 of its text over the greatest of the
// eligible chunks.
type RetrievedChunk struct {
	ID      string          `json:"id"` // of a record as it was given; of a piece of a document that of its turn
	Score   float64         `json:"score"`
	Snippet string          `json:"snippet"`
	Meta    json.RawMessage `json:"meta"` // of a record as imported; of a document's piece what is known of its file
}

// RetrievalModel is the model by which queries and chunks are compared.
type RetrievalModel struct {
	ID   string `json:"id"`
	Dims int    `json:"dims"`
}

// Corpus is a collection of chunks to retrieve from. It need not hold in memory what a filter rules out.
type Corpus interface {
	// Narrow returns at least the chunks that pass f. The caller calls release once when it no longer uses them.
	// Errors: not_found when there is no collection, or part of it is missing; unavailable.
	Narrow(ctx context.Context, f store.Filter) (part Subset, release func(), err error)
}

// Subset is part of the chunks of a Corpus; store.Reader documents most of its reads.
type Subset interface {
	Catalog(ctx context.Context) (*store.Catalog, error)
	Postings(ctx context.Context, terms []string) ([]store.Postings, error)
	Nearest(ctx context.Context, query []float32, f store.Filter, k int) ([]store.Neighbor, error)
	Similarities(ctx context.Context, query []float32, ords []store.Ord) ([]float64, error)

	// Records returns the turns of ords, in their order.
	Records(ctx context.Context, ords []store.Ord) ([]store.Turn, error)
	// Generation returns how the vectors were made, and how many the corpus has.
	Generation() store.Generation
	// Statistics returns how often terms occur in the whole corpus.
	Statistics(ctx context.Context, terms []string) (*store.Statistics, error)
}

// Retriever retrieves from a corpus. It is safe for concurrent use.
type Retriever struct {
	corpus    Corpus
	embedders *embedders
}

// NewRetriever returns a retriever that embeds queries with embedder. With nil every retrieval fails as
// unavailable.
func NewRetriever(corpus Corpus, embedder Embedder) *Retriever {
	return &Retriever{corpus, newEmbedders(embedder)}
}

// Retrieve finds the k chunks that answer query best among those that pass the options' filters. In dense mode they
// are the nearest by cosine. In hybrid mode candidates are the 200 best by words and the 200 nearest, and both
// scores decide. A turn of a chat is never a result.
//
// Errors: invalid (empty query, options out of range), too_large (query over 8 KiB), not_found (no index, or part
// of it is missing), dimension_mismatch, unavailable (no model, or a different one than the index has),
// rate_limited.
func (e *Retriever) Retrieve(ctx context.Context, q query.Query, opts RetrieveOptions) (*Retrieved, error) {
	started := time.Now()
	r, err := newRetrieveRequest(q, opts)
	if err != nil {
		return nil, err
	}
	part, release, err := e.corpus.Narrow(ctx, r.filter)
	if err != nil {
		return nil, err
	}
	defer release()
	r.part = part
	if err := e.embed(ctx, r); err != nil {
		return nil, err
	}
	embedded := time.Now()
	hits, err := r.search(ctx)
	if err != nil {
		return nil, err
	}
	results, err := r.buildResults(ctx, hits)
	if err != nil {
		return nil, err
	}
	g := part.Generation()
	return &Retrieved{
		Query: r.query, K: r.k, Filters: filtersOf(q.Filter), Results: results, Model: RetrievalModel{g.Model, g.Dim},
		Timing: Timing{
			Embed:  milliseconds(r.embedTime),
			Search: milliseconds(time.Since(embedded)),
			Total:  milliseconds(time.Since(started)),
		},
	}, nil
}

// retrieveRequest is one retrieval in progress.
type retrieveRequest struct {
	request
	k         int
	threshold float64
	part      Subset
	catalog   *store.Catalog // of part
	vector    []float32
	embedTime time.Duration // to embed
}

// chunkSources are the sources that retrieval searches.
var chunkSources = []store.Source{store.Documents, store.Chunks}

func newRetrieveRequest(q query.Query, opts RetrieveOptions) (*retrieveRequest, error) {
	if err := q.Validate(); err != nil {
		return nil, err
	}
	r := &retrieveRequest{k: cmp.Or(opts.K, DefaultK), threshold: opts.Threshold}
	r.query, r.mode = strings.ToValidUTF8(q.Text, "\uFFFD"), cmp.Or(q.Mode, query.Hybrid)
	r.words = terms.Query(r.query)
	r.filter = storeFilter(q.Filter)
	r.filter.Sources = chunkSources
	r.filter.Meta = filtersByKey(q.Filter.Meta.In)
	switch {
	case !onlyRetrievable(q):
		return nil, invalid("retrieve", "use peek", "retrieval is restricted by time and metadata only")
	case len(r.filter.Meta) < len(q.Filter.Meta.In):
		return nil, invalid("retrieve", "use each key once", "two filters have the same metadata key")
	case !q.HasWords():
		return nil, invalid("retrieve", "type what you are looking for", "the query is empty")
	case r.k < 1 || r.k > MaxK:
		return nil, invalid("retrieve", "", "k is %d, must be 1 to %d", opts.K, MaxK)
	case !(r.threshold >= 0 && r.threshold <= 1):
		return nil, invalid("retrieve", "", "the threshold must be between 0 and 1")
	case r.mode != query.Dense && r.mode != query.Hybrid:
		return nil, invalid("retrieve", "use dense or hybrid", "unknown mode")
	}
	return r, nil
}

// filtersByKey returns metadata filters by their keys, nil for none.
func filtersByKey(pairs []query.Pair) map[string]string {
	if len(pairs) == 0 {
		return nil
	}
	by := make(map[string]string, len(pairs))
	for _, pair := range pairs {
		by[pair.Key] = pair.Value
	}
	return by
}

// onlyRetrievable reports whether q has nothing that a published index cannot answer: words, a window and metadata.
func onlyRetrievable(q query.Query) bool {
	rest := q.Filter
	rest.Since, rest.Until, rest.Meta.In = time.Time{}, time.Time{}, nil
	return rest.IsZero() && len(q.Phrases) == 0 && len(q.Without) == 0 && q.Like == ""
}

// embed makes the query's vector in the space of the corpus.
func (e *Retriever) embed(ctx context.Context, r *retrieveRequest) error {
	g := r.part.Generation()
	if g.Vectors == 0 {
		return &errs.Error{
			Code: errs.NotFound, Op: "retrieval: retrieve", Message: "nothing is embedded yet",
			Hint: "run lens embed",
		}
	}
	started := time.Now()
	var err error
	r.vector, err = queryVector(ctx, e.embedders.forGeneration(g), g, r.query)
	r.embedTime = time.Since(started)
	return err
}
