package offline_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/retrieval/offline"
)

var now = time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)

func ago(days float64) *time.Time {
	t := now.Add(-time.Duration(days * 24 * float64(time.Hour)))
	return &t
}

func id(n byte) uuid.UUID { return uuid.UUID{15: n} }

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestRecency(t *testing.T) {
	for name, c := range map[string]struct {
		modified *time.Time
		want     float64
	}{
		"now":         {ago(0), 1},
		"30 days ago": {ago(30), 0.36787944117144233},
		"60 days ago": {ago(60), 0.1353352832366127},
		"90 days ago": {ago(90), 0.049787068367863944},
		"12 hours":    {ago(.5), 0.9834714538216175},
		"the future":  {ago(-400), 1},
		"unknown":     {nil, 0},
	} {
		if got := offline.Recency(c.modified, now); !near(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// The worked example: cosines .9 .5 .1, BM25 2 8 5, ages 0, 30 and 60 days.
//
//	first    .6·(.9−.1)/.8 + .3·(2−2)/6 + .1·1       = .6  + 0   + .1      = .7
//	second   .6·(.5−.1)/.8 + .3·(8−2)/6 + .1·e^−1    = .3  + .3  + .036788 = .636788
//	third    .6·0          + .3·(5−2)/6 + .1·e^−2    = 0   + .15 + .013534 = .163534
func worked() []offline.Hit {
	return []offline.Hit{
		{ChunkID: id(1), ANN: .1, Keyword: 5, Modified: ago(60)},
		{ChunkID: id(2), ANN: .9, Keyword: 2, Modified: ago(0)},
		{ChunkID: id(3), ANN: .5, Keyword: 8, Modified: ago(30)},
	}
}

func TestRerank_Weights(t *testing.T) {
	got := offline.Rerank(worked(), now, offline.Standard)
	want := []struct {
		id    byte
		final float64
	}{{2, .7}, {3, .6*.5 + .3 + .1*0.36787944117144233}, {1, .15 + .1*0.1353352832366127}}
	for i, w := range want {
		if got[i].ChunkID != id(w.id) || !near(*got[i].Final, w.final) || !near(got[i].Parts.Final, w.final) {
			t.Errorf("place %d: %v with %v, want %v with %v", i, got[i].ChunkID, *got[i].Final, id(w.id), w.final)
		}
	}
	if p := got[1].Parts; !near(p.ANNNorm, .5) || !near(p.KeywordNorm, 1) || !near(p.RecencyNorm, 0.36787944117144233) {
		t.Errorf("parts %+v", p)
	}
}

// Paranoid: the mean of the other two. first (1+0)/2, second (.5+1)/2, third (0+.5)/2.
func TestRerank_Paranoid(t *testing.T) {
	got := offline.Rerank(worked(), now, offline.Paranoid)
	for i, w := range []struct {
		id    byte
		final float64
	}{{3, .75}, {2, .5}, {1, .25}} {
		if got[i].ChunkID != id(w.id) || !near(*got[i].Final, w.final) || got[i].Parts.RecencyNorm != 0 {
			t.Errorf("place %d: %v with %v, want %v with %v", i, got[i].ChunkID, *got[i].Final, id(w.id), w.final)
		}
	}
}

func TestRerank_OneNoneAndEqual(t *testing.T) {
	one := offline.Rerank([]offline.Hit{{ChunkID: id(1), ANN: .2, Keyword: 0, Modified: ago(30)}}, now, offline.Standard)
	if len(one) != 1 || !near(*one[0].Final, .9+.1*0.36787944117144233) {
		t.Errorf("a single hit must be normalized to 1: %+v", one)
	}
	if none := offline.Rerank(nil, now, offline.Standard); len(none) != 0 {
		t.Errorf("no hits: got %v", none)
	}
	var equal []offline.Hit
	for n := byte(9); n > 0; n-- {
		equal = append(equal, offline.Hit{ChunkID: id(n), ANN: .5, Keyword: 3})
	}
	got := offline.Rerank(equal, now, offline.Standard)
	if len(got) != 4 {
		t.Fatalf("kept %d hits", len(got))
	}
	for i, h := range got {
		if h.ChunkID != id(byte(9-i)) || !near(*h.Final, .9) {
			t.Errorf("ties: got %v at %d with %v", h.ChunkID, i, *h.Final)
		}
	}
}

func TestRerank_ExtremeScores(t *testing.T) {
	for _, far := range []float64{math.MaxFloat64, math.SmallestNonzeroFloat64} {
		got := offline.Rerank([]offline.Hit{{ANN: far}, {ANN: -far}, {}}, now, offline.Standard)
		for _, h := range got {
			if !(*h.Final >= 0 && *h.Final <= 1) {
				t.Errorf("%v apart: %v", far, *h.Final)
			}
		}
	}
}

func TestRerank_DoesNotModifyHits(t *testing.T) {
	hits := worked()
	hits[0].Parts = &offline.Parts{Search: 1}
	_ = offline.Rerank(hits, now, offline.Standard)
	if hits[0].Final != nil || hits[0].Parts.Final != 0 || hits[0].ChunkID != id(1) {
		t.Errorf("got %+v", hits[0])
	}
}

func TestCitation_String(t *testing.T) {
	late := time.Date(2024, 5, 1, 1, 0, 0, 0, time.FixedZone("east", 2*60*60))
	for want, c := range map[string]offline.Citation{
		"notes.md (modified 2026-03-31)":          {File: "notes.md", Modified: ago(0)},
		"plan b.docx (modified 2024-04-30)":       {File: "plan b.docx", Modified: &late},
		"scan.pdf (modified at an unknown time)":  {File: "scan.pdf"},
		"Bread, and what went wrong (2026-03-01)": {File: "Bread, and what went wrong", Modified: ago(30), Chat: true},
		"Rye (at an unknown time)":                {File: "Rye", Chat: true},
	} {
		if got := c.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
