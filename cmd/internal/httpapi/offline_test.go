package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/retrieval/offline"
)

// notes is an offline retriever over one note.
type notes struct {
	fail error
	got  *offline.SearchOptions // receives the options of the last search; may be nil
}

const aHit = `{"chunk_id":"00000000-0000-4000-8000-000000000001","filename":"notes.md","path":"/n/notes.md","client_tag":"","modified_time":null,"mime":"text/markdown","page_span":null,"ann_score":0.5,"keyword_score":2}`

var written = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

func (n notes) Search(_ context.Context, _ string, opts offline.SearchOptions) (*offline.Found, error) {
	if n.got != nil {
		*n.got = opts
	}
	hit := offline.Hit{ChunkID: uuid.UUID{15: 1}, Filename: "notes.md", Modified: &written, Pages: []int{1, 2}, ANN: .5, Keyword: 2, Parts: new(offline.Parts)}
	found := &offline.Found{Decision: offline.Decision{QID: "q", Level: offline.Standard, Mechanism: "seccomp", Probes: 4, Seq: 1}, Hits: []offline.Hit{hit}}
	found.Explain.Terms, found.Explain.Synonyms, found.Explain.Placeholders = []string{"bread"}, []offline.Synonym{}, []string{}
	return found, n.fail
}

func (n notes) Answer(_ context.Context, hits []offline.Hit, _ string, _ offline.AnswerOptions) (*offline.Answer, error) {
	a := &offline.Answer{Text: offline.NoAnswer, Citations: []offline.Citation{}, Decision: offline.Decision{Level: offline.Standard}}
	for _, h := range hits {
		a.Citations = append(a.Citations, offline.Citation{File: h.Filename, ChunkID: h.ChunkID})
	}
	return a, n.fail
}

// A number of hits that cannot be is refused, and not taken for the default.
func TestSearch_NumberOfHits(t *testing.T) {
	s := start(t, nil)
	for k, want := range map[string]int{"1": 200, "100": 200, "0": 400, "1.5": 400, `"8"`: 400} {
		if got := s.ask("POST", "/search", `{"query":"bread","k":`+k+`}`); got.status != want {
			t.Errorf("k %s: %d %s", k, got.status, got.body)
		}
	}
	if got := s.ask("POST", "/search", `{"query":"bread","k":0}`); !strings.Contains(string(got.body), "k is 0, must be 1 to 100.") {
		t.Errorf("got %s", got.body)
	}
}

func TestOffline_SearchRerankAnswer(t *testing.T) {
	var searched offline.SearchOptions
	s := start(t, func(o *Options) { o.Offline = notes{got: &searched} })
	found := s.ask("POST", "/search", `{"query":"bread","k":3,"security":"strict"}`)
	if found.status != 200 || searched.K != 3 || searched.Level != offline.Strict {
		t.Fatalf("%d %s, options %+v", found.status, found.body, searched)
	}
	var hits struct{ Hits json.RawMessage }
	for _, step := range []string{"/rerank", "/answer"} {
		if err := json.Unmarshal(found.body, &hits); err != nil {
			t.Fatal(err)
		}
		body := `{"hits":` + string(hits.Hits) + `}`
		if step == "/answer" {
			body = strings.TrimSuffix(body, "}") + `,"prompt":"bread?"}`
		}
		if found = s.ask("POST", step, body); found.status != 200 {
			t.Fatalf("%s: %d %s", step, found.status, found.body)
		}
		if step == "/rerank" && !strings.Contains(string(found.body), `"final_score":1`) && !strings.Contains(string(found.body), `"final_score":0.9`) {
			t.Errorf("reranked: %s", found.body)
		}
	}
	if !strings.Contains(string(found.body), `"file":"notes.md"`) {
		t.Errorf("answered: %s", found.body)
	}
	if strings.Contains(s.log.String(), "bread") {
		t.Error("what was asked is in the log")
	}
}

func TestOffline_Revert(t *testing.T) {
	for reason, want := range map[offline.Reason]int{
		offline.Locked: 423, offline.NetworkBlockFailed: 403, offline.NetworkBlockUnsupported: 403, offline.ANNUnavailable: 503,
		offline.AuditUnavailable: 503, offline.DimensionMismatch: 409, offline.InvalidConfig: 503,
	} {
		s := start(t, func(o *Options) { o.Offline = notes{fail: &offline.Revert{Reason: reason, Err: errors.New("secret")}} })
		got := s.ask("POST", "/search", `{"query":"bread"}`)
		if got.status != want || strings.Contains(string(got.body), "secret") {
			t.Errorf("%s: %d %s", reason, got.status, got.body)
		}
		var body errorBody
		if err := json.Unmarshal(got.body, &body); err != nil || body.Error.Reason != string(reason) {
			t.Errorf("%s: the reason is %q, %v", reason, body.Error.Reason, err)
		}
	}
}

func TestOffline_NoRetriever(t *testing.T) {
	s := start(t, func(o *Options) { o.Offline = nil })
	if got := s.ask("POST", "/search", `{"query":"bread"}`); got.status != 503 || got.code() != codeUnavailable {
		t.Errorf("got %d %s", got.status, got.body)
	}
	too := s.ask("POST", "/rerank", `{"hits":[`+strings.Repeat(aHit+",", 100)+aHit+`]}`)
	if too.status != 400 {
		t.Errorf("101 hits: %d %s", too.status, too.body)
	}
	if got := s.ask("POST", "/rerank", `{"hits":[],"security":"lax"}`); got.status != 400 {
		t.Errorf("no such level: %d %s", got.status, got.body)
	}
}

func TestRerank_MissingMembers(t *testing.T) {
	s := start(t, nil)
	for body, says := range map[string]string{
		`{}`:            "The body's /hits is missing.",
		`{"hits":null}`: "The body's /hits is missing.",
		`{"hits":[{}]}`: "The body's /hits/0/chunk_id is missing.",
		`{"hits":[` + aHit + `,{"chunk_id":"00000000-0000-4000-8000-000000000001"}]}`: "The body's /hits/1/modified_time is missing.",
	} {
		if got := s.ask("POST", "/rerank", body); got.status != 400 || !strings.Contains(string(got.body), says) {
			t.Errorf("%s: %d %s", body, got.status, got.body)
		}
	}
	scores := `{"hits":[{"chunk_id":"00000000-0000-4000-8000-000000000001","modified_time":null,"ann_score":0,"keyword_score":1}]}`
	for body, path := range map[string]string{scores: "/rerank", `{"hits":[]}`: "/rerank"} {
		if got := s.ask("POST", path, body); got.status != 200 {
			t.Errorf("%s: %d %s", body, got.status, got.body)
		}
	}
}
