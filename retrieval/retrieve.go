package retrieval

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
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

// RetrieveModes are the modes of a retrieval, the default first.
var RetrieveModes = []query.Mode{query.Dense, query.Hybrid, query.Keyword}

// RetrieveOptions shapes a retrieval. The zero value is usable.
type RetrieveOptions struct {
	K         int     // 1..50; 0: 5
	Threshold float64 // 0..1: the least cosine of a result; 0: none, and a result needs no vector
}

// Retrieved holds the chunks that answer a query best.
type Retrieved struct {
	Query   string            `json:"query"`
	K       int               `json:"k"`
	Filters map[string]string `json:"filters"` // as they were understood: see filtersOf
	Results []RetrievedChunk  `json:"results"` // best first
	Model   RetrievalModel    `json:"model"`
	Timing  Timing            `json:"timing_ms"`
	Notice  string            `json:"notice,omitempty"` // why words alone could rank
}

// RetrievedChunk is one result. Its score is the cosine of its vector and the query's, 0 if that is negative: 0..1.
// Dense mode orders by it, the others by the rank score, which is that of package rank without what a chunk lacks:
// the turns before and after it and a conversation. It is at least 0 and compares the results of one query only.
type RetrievedChunk struct {
	ID        string          `json:"id"`                   // of a record as given; of a document's piece that of its turn
	Score     *float64        `json:"score"`                // null: one of the two has no vector
	RankScore *float64        `json:"rank_score,omitempty"` // nil in dense mode
	Snippet   string          `json:"snippet"`
	Meta      json.RawMessage `json:"meta"` // of a record as imported; of a document's piece what is known of its file
}

// RetrievalModel is the model that made the vectors of the chunks; the zero value if they have none.
type RetrievalModel struct {
	ID   string `json:"id"` // name@revision; where no revision is known, name@recipe-n, after store.Recipe
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
	corpus     Corpus
	embedders  *embedders
	revisionOf RevisionOf
}

// RevisionOf returns the revision of a model that is known by its provider and name, "" for none.
type RevisionOf func(provider, model string) string

// NewRetriever returns a retriever that embeds queries with embedder. With nil it retrieves by words only.
func NewRetriever(corpus Corpus, embedder Embedder) *Retriever {
	return &Retriever{corpus: corpus, embedders: newEmbedders(embedder)}
}

// NameRevisions makes results name the revisions of models. Call it before first use.
func (e *Retriever) NameRevisions(of RevisionOf) { e.revisionOf = of }

// Retrieve finds the k chunks that answer query best among those that pass its filter and reach the threshold. In dense
// mode, the default, they are the nearest by cosine. In hybrid mode candidates are the 100 best by words and the 100
// nearest, and both decide; without a query vector it is keyword mode, and the notice says why. A turn of a chat is
// never a result.
//
// Errors: invalid (empty query, options out of range), too_large (query over 8 KiB), not_found (no index, or part
// of it is missing), dimension_mismatch. In dense mode and with a threshold also: not_found (nothing is embedded),
// unavailable (no model, or a different one than the index has), rate_limited.
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
	if err := e.plan(ctx, r); err != nil {
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
	return &Retrieved{
		Query: r.query, K: r.k, Filters: filtersOf(q.Filter), Results: results, Model: e.revisionOf.model(part.Generation()),
		Notice: r.plan.notice,
		Timing: Timing{
			Embed:  milliseconds(r.plan.embedTime),
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
	plan      searchPlan
}

// chunkSources are the sources that retrieval searches.
var chunkSources = []store.Source{store.Documents, store.Chunks}

func newRetrieveRequest(q query.Query, opts RetrieveOptions) (*retrieveRequest, error) {
	if err := q.Validate(); err != nil {
		return nil, err
	}
	r := &retrieveRequest{k: cmp.Or(opts.K, DefaultK), threshold: opts.Threshold}
	r.query, r.mode = strings.ToValidUTF8(q.Text, "\uFFFD"), cmp.Or(q.Mode, query.Dense)
	r.words = terms.Content(r.query, terms.QueryLanguage(r.query))
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
	case !slices.Contains(RetrieveModes, r.mode):
		return nil, invalid("retrieve", "use dense, hybrid or keyword", "unknown mode")
	case r.mode == query.Keyword && r.threshold > 0:
		return nil, invalid("retrieve", "use dense or hybrid, or no threshold",
			"the threshold is a cosine similarity, which keyword mode does not have")
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

// plan resolves the mode and makes the query's vector in the space of the corpus. Where no mode but keyword would work,
// it says so in that mode, too.
func (e *Retriever) plan(ctx context.Context, r *retrieveRequest) (err error) {
	g := r.part.Generation()
	by := e.embedders.forGeneration(g)
	if r.mode == query.Keyword {
		r.plan = searchPlan{mode: query.Keyword}
		if lack := checkEmbedded(by, g); lack != nil {
			r.plan.notice = byWordsOnly(lack)
		}
		return nil
	}
	needsVector := r.mode == query.Dense || r.threshold > 0
	r.plan, err = newSearchPlan(ctx, r.mode, needsVector, func() ([]float32, error) {
		if err := checkEmbedded(by, g); err != nil {
			if needsVector && errors.Is(err, ErrOtherModel) {
				err = cmp.Or(checkDim(ctx, by, g, r.query), err)
			}
			return nil, err
		}
		return queryVector(ctx, by, g, r.query)
	})
	return err
}

// checkEmbedded is checkVectors for a corpus, where it is not_found that nothing is embedded.
func checkEmbedded(by Embedder, g store.Generation) error {
	if g.Vectors == 0 {
		return &errs.Error{
			Code: errs.NotFound, Op: "retrieval: retrieve", Message: "nothing is embedded yet",
			Hint: "run lens embed; until then, use the mode keyword", Err: ErrNotEmbedded,
		}
	}
	return checkVectors(by, g)
}

// checkDim returns the dimension_mismatch between the vectors of a generation and those of another model, nil for none:
// no setting makes the two comparable.
func checkDim(ctx context.Context, by Embedder, g store.Generation, query string) error {
	vector, err := by.EmbedQuery(ctx, query)
	if err != nil || len(vector) == g.Dim {
		return nil
	}
	return &errs.Error{
		Code: errs.DimensionMismatch, Op: "retrieval: retrieve",
		Message: fmt.Sprintf("Expected %d, got %d", g.Dim, len(vector)),
		Hint:    "set LENS_EMBEDDING_MODEL to " + g.Model + ", which made the vectors, or run lens embed",
	}
}
