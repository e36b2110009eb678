package retrieval_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store"
)

func TestPeek_Mode(t *testing.T) {
	down := &errs.Error{Code: errs.Unavailable, Op: "openai: embed", Message: "cannot reach 127.0.0.1:1", Hint: "start it", Err: errDown}
	none := func(a *fakeSource) { a.generations = nil }
	for name, c := range map[string]struct {
		asked    query.Mode
		embedder retrieval.Embedder
		change   func(a *fakeSource)
		want     query.Mode
		notice   string // of the answer, or message of the error
		code     errs.Code
	}{
		"auto with vectors is hybrid":            {asked: "auto", embedder: &words{}, want: "hybrid"},
		"nothing asked means auto":               {asked: "", embedder: &words{}, want: "hybrid"},
		"hybrid with vectors":                    {asked: "hybrid", embedder: &words{}, want: "hybrid"},
		"dense with vectors":                     {asked: "dense", embedder: &words{}, want: "dense"},
		"keyword never embeds":                   {asked: "keyword", embedder: &words{fail: errDown}, want: "keyword"},
		"auto without a model says so":           {asked: "auto", want: "keyword", notice: "no embedding model is configured"},
		"hybrid without a model says so":         {asked: "hybrid", want: "keyword", notice: "no embedding model is configured"},
		"dense without a model fails":            {asked: "dense", code: "unavailable", notice: "no embedding model is configured"},
		"auto without vectors says so":           {asked: "auto", embedder: &words{}, change: none, want: "keyword", notice: "nothing is embedded yet"},
		"dense without vectors fails":            {asked: "dense", embedder: &words{}, change: none, code: "unavailable", notice: "nothing is embedded yet"},
		"auto with another model says so":        {asked: "auto", embedder: &words{model: "other"}, want: "keyword", notice: "embedded with words (test), but queries with other (test)"},
		"dense with another model fails":         {asked: "dense", embedder: &words{model: "other"}, code: "unavailable", notice: "embedded with words (test)"},
		"auto with a server that is down":        {asked: "auto", embedder: &words{fail: down}, want: "keyword", notice: "cannot reach 127.0.0.1:1"},
		"auto with a model that fails strangely": {asked: "auto", embedder: &words{fail: errDown}, want: "keyword", notice: "the embedding model failed"},
		"dense with a server that is down":       {asked: "dense", embedder: &words{fail: down}, code: "unavailable", notice: "cannot reach 127.0.0.1:1"},
		"another dim is an error in dense":       {asked: "dense", embedder: &words{dim: 32}, code: "dimension_mismatch", notice: "Expected 64, got 32"},
		"another dim is an error in auto too":    {asked: "auto", embedder: &words{dim: 32}, code: "dimension_mismatch", notice: "Expected 64, got 32"},
	} {
		t.Run(name, func(t *testing.T) {
			a := kitchen()
			if c.change != nil {
				c.change(a)
			}
			p, err := retrieval.New(a, c.embedder).Peek(t.Context(), query.Query{Text: "sourdough starter", Mode: c.asked})
			if c.code != "" {
				if errs.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.notice) {
					t.Fatalf("%v, not %s: %s", err, c.code, c.notice)
				}
				if failure := new(errs.Error); !errors.As(err, &failure) || failure.Hint == "" {
					t.Error("no next step")
				}
				return
			}
			if err != nil || p.Mode != c.want {
				t.Fatalf("mode %q, want %q; %v", p.Mode, c.want, err)
			}
			if !strings.Contains(p.Notice, c.notice) || (c.notice == "") != (p.Notice == "") {
				t.Errorf("notice %q, want %q", p.Notice, c.notice)
			}
			if len(p.Matches) == 0 {
				t.Error("nothing was found")
			}
		})
	}
}

func TestPeek_CanceledWithoutFallback(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	a := kitchen()
	_, err := retrieval.New(a, canceling{&words{}, cancel}).Peek(ctx, query.Query{Text: "sourdough"})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// canceling cancels the caller's context while it embeds.
type canceling struct {
	*words
	cancel func()
}

func (c canceling) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	c.cancel()
	return c.words.EmbedQuery(ctx, text)
}

func TestPeek_FailingVectorRead(t *testing.T) {
	for _, mode := range []query.Mode{query.Dense, query.Hybrid} {
		a := kitchen()
		a.fail = errDown
		if _, err := retrieval.New(a, &words{}).Peek(t.Context(), query.Query{Text: "sourdough", Mode: mode}); !errors.Is(err, errDown) {
			t.Errorf("%s: got %v", mode, err)
		}
	}
}

func TestPeek_FailingSimilarityRead(t *testing.T) {
	a := &halfBroken{kitchen()}
	if _, err := retrieval.New(a, &words{}).Peek(t.Context(), query.Query{Text: "sourdough"}); !errors.Is(err, errDown) {
		t.Errorf("got %v", err)
	}
}

// halfBroken finds no neighbors and fails when asked for cosines.
type halfBroken struct{ *fakeSource }

func (h *halfBroken) Nearest(context.Context, []float32, store.Filter, int) ([]store.Neighbor, error) {
	return nil, nil
}

func (h *halfBroken) Similarities(context.Context, []float32, []store.Ord) ([]float64, error) {
	return nil, errDown
}

// bilingual can resolve one other model.
type bilingual struct {
	words
	other words
}

func (b *bilingual) EmbedderFor(provider, name string) (retrieval.Embedder, bool) {
	return &b.other, provider == "test" && name == b.other.model
}

func TestPeek_ModelOfActiveGeneration(t *testing.T) {
	a := kitchen()
	old := a.generations
	b := &bilingual{words: words{model: "new"}, other: words{model: "words"}}
	e := retrieval.New(a, b)
	for i := range 2 { // the second one comes from the cache
		p, err := e.Peek(t.Context(), query.Query{Text: "sourdough starter"})
		if err != nil || p.Mode != query.Hybrid || b.asked.Load() != 0 || b.other.asked.Load() != 1 {
			t.Fatalf("%d: mode %q, asked %d and %d; %v", i, p.Mode, b.asked.Load(), b.other.asked.Load(), err)
		}
	}
	a.generations = []store.Generation{{ID: 2, Provider: "test", Model: "new", Dim: dim, Active: true, Vectors: old[0].Vectors}}
	changed := *a.catalog
	changed.Version++
	a.catalog = &changed
	p, err := e.Peek(t.Context(), query.Query{Text: "sourdough starter"})
	if err != nil || p.Mode != query.Hybrid || b.asked.Load() != 1 || b.other.asked.Load() != 1 {
		t.Fatalf("switched: mode %q, asked %d and %d; %v", p.Mode, b.asked.Load(), b.other.asked.Load(), err)
	}
}
