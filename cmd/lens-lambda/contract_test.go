package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lens/cmd/internal/app"
	"lens/cmd/internal/archive"
	"lens/cmd/internal/config"
	"lens/cmd/internal/httpapi"
	"lens/cmd/internal/published"
	"lens/internal/errs"
	"lens/retrieval/embed/embedtest"
	"lens/store/postgres/pgtest"
	"lens/store/shard/s3/s3test"
)

// These tests know GET /retrieve from its description alone, and nothing of what implements it. They send each request to
// an archive in SQLite, one in Postgres, an index in a folder, one in S3 and the Lambda function: the answers must be the
// same, and as described.

// contractDims are the dimensions of the vectors, and otherDims those of a model that made none of them.
const contractDims, otherDims = 384, 768

// contractRecords are what is retrieved from. The model refuses "unembeddable", which leaves 5 without a vector.
var contractRecords = []struct {
	id, text, modified, meta string
}{
	{"1", "The villain plots revenge in his castle", "2023-12-31T23:59:59.999999Z", `{"entity":"story","n":1.50,"urls":["a<b","ü"]}`},
	{"2", "A villain, a castle", "2024-01-01", `{"entity":"character","at":{"place":"Latveria"}}`},
	{"3", "Villain", "2024-01-31T23:59:59Z", `{ "entity" : "character" , "twice":1, "twice":2 }`},
	{"4", "The hero plots nothing", "2024-02-29T12:00:00Z", `{"entity":"character"}`},
	{"5", "villain unembeddable villain", "2024-03-01T00:00:00Z", `{"entity":"event"}`},
	{"6", "Revenge of the garden gnomes in a castle", "", `{"entity":"story","modified":"2024-12-31T23:59:59-0000"}`},
	{"7", "Bread rises with yeast", "2025-01-01T00:00:00Z", `{"entity":"story","modified":"1999-01-01"}`},
	{"8", "Herons wade through the pond", "", `{"entity":"event"}`},
	{"9", "A castle in the air", "2024-06-15T10:30:00.5Z", `{"entity":"story","1":"2"}`},
	{"10", "Mask and castle and villain", "2024-06-15T10:30:00Z", `{"entity":"character"}`},
}

// backend answers GET /retrieve with the parameters of a query string.
type backend struct {
	name string
	ask  func(query string) (status int, body string)
}

// contract sends requests to all backends.
type contract struct {
	*testing.T
	backends []backend
}

// contractArchives are the same records, imported and embedded in both stores, and published from one.
type contractArchives struct {
	model              *embedtest.Server
	lite, full         config.Config
	folder, bucketAddr string
	env                []string // of a function
}

func newContractArchives(t *testing.T) *contractArchives {
	t.Helper()
	bucket := s3test.New(t)
	a := &contractArchives{
		model:  embedtest.New(t, embedtest.Options{Dim: contractDims, Refuse: func(text string) bool { return strings.Contains(text, "unembeddable") }}),
		folder: filepath.Join(t.TempDir(), "index"), bucketAddr: bucket.Address() + "/some/prefix",
	}
	a.lite = config.Config{DataDir: t.TempDir(), Embedding: embeddingAt(a.model.URL)}
	a.full = config.Config{DataDir: t.TempDir(), DatabaseURL: pgtest.Schema(t), Embedding: embeddingAt(a.model.URL)}
	for _, cfg := range []config.Config{a.lite, a.full} {
		lens := importRecords(t, cfg)
		report, err := lens.Embedding.Run(t.Context(), false, nil)
		if report.Embedded != len(contractRecords)-1 || report.Pending != 1 {
			t.Fatalf("embedded %+v, %v", report, err)
		}
		if cfg.DatabaseURL == "" {
			for _, at := range []string{a.folder, a.bucketAddr} {
				_, err := lens.Indexes.Publish(t.Context(), at, published.MinShardMB, false, nil)
				must(t, err)
			}
		}
		must(t, lens.Close())
	}
	for _, name := range []string{"AWS_ENDPOINT_URL_S3", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"} {
		a.env = append(a.env, name+"="+os.Getenv(name))
	}
	return a
}

// importRecords opens an archive and imports the records.
func importRecords(t *testing.T, cfg config.Config) *app.App {
	t.Helper()
	var lines []string
	for _, r := range contractRecords {
		line := fmt.Sprintf(`{"id":%q,"text":%q,"meta":%s`, r.id, r.text, r.meta)
		if r.modified != "" {
			line += fmt.Sprintf(`,"modified":%q`, r.modified)
		}
		lines = append(lines, line+"}")
	}
	path := filepath.Join(t.TempDir(), "records.jsonl")
	must(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600))
	lens := app.New(cfg, "test")
	_, err := lens.Archive.Import(t.Context(), []string{path}, archive.ImportOptions{})
	must(t, err)
	return lens
}

// beforeEmbedding returns an archive in each store that has no vector yet. An index cannot be published from it.
func (a *contractArchives) beforeEmbedding(t *testing.T) contract {
	t.Helper()
	var backends []backend
	for name, cfg := range map[string]config.Config{
		"SQLite": {DataDir: t.TempDir()}, "Postgres": {DataDir: t.TempDir(), DatabaseURL: pgtest.Schema(t)},
	} {
		cfg.Embedding = embeddingAt(a.model.URL)
		lens := importRecords(t, cfg)
		t.Cleanup(func() { must(t, lens.Close()) })
		backends = append(backends, backend{name, over(t, lens.Archive.ForServer())})
	}
	return contract{t, backends}
}

func embeddingAt(model string) config.Embedding {
	return config.Embedding{Kind: config.OpenAI, Provider: "openai", BaseURL: model}
}

// contract returns the five backends, whose queries are embedded by the server at model; "": by none.
func (a *contractArchives) contract(t *testing.T, model string) contract {
	t.Helper()
	embedding, env := config.Embedding{Kind: config.None}, []string{"LENS_EMBEDDING=none"}
	if model != "" {
		embedding, env = embeddingAt(model), []string{"OPENAI_BASE_URL=" + model}
	}
	open := func(cfg config.Config) *app.App {
		cfg.Embedding = embedding
		lens := app.New(cfg, "test")
		t.Cleanup(func() { must(t, lens.Close()) })
		return lens
	}
	index := func(at string) httpapi.Retriever {
		i, err := open(config.Config{DataDir: t.TempDir()}).Indexes.Open(t.Context(), at)
		must(t, err)
		t.Cleanup(func() { must(t, i.Close()) })
		return i
	}
	function := start(t, "function", slices.Concat(a.env, env, []string{"LENS_SHARDS=" + a.bucketAddr, "LENS_DATA_DIR=" + t.TempDir()})...)
	return contract{t, []backend{
		{"SQLite", over(t, open(a.lite).Archive.ForServer())},
		{"Postgres", over(t, open(a.full).Archive.ForServer())},
		{"folder", over(t, index(a.folder))},
		{"S3", over(t, index(a.bucketAddr))},
		{"Lambda", func(query string) (int, string) {
			_, r := function.ask(httpPayload("/retrieve", query))
			return r.StatusCode, r.Body
		}},
	}}
}

// over asks a server over r.
func over(t *testing.T, r httpapi.Retriever) func(query string) (int, string) {
	server, err := httpapi.New(httpapi.Options{
		Engine:    func(context.Context) (httpapi.Engine, error) { return nil, errNoArchive },
		Retriever: r, Explain: errs.ForClient, Log: slog.New(slog.DiscardHandler),
	})
	must(t, err)
	return func(query string) (int, string) {
		request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/retrieve?"+query, nil)
		response := httptest.NewRecorder()
		server.ServeHTTP(response, request)
		return response.Code, response.Body.String()
	}
}

// chunk is a result, with its metadata as it was sent.
type chunk struct {
	ID        string          `json:"id"`
	Score     *float64        `json:"score"`
	RankScore *float64        `json:"rank_score"`
	Snippet   string          `json:"snippet"`
	Meta      json.RawMessage `json:"meta"`
}

// found is an answer.
type found struct {
	Query   string            `json:"query"`
	K       int               `json:"k"`
	Filters map[string]string `json:"filters"`
	Results []chunk           `json:"results"`
	Model   struct {
		ID   string `json:"id"`
		Dims int    `json:"dims"`
	} `json:"model"`
	Timing struct{ Embed, Search, Total *float64 } `json:"timing_ms"`
	Notice string                                  `json:"notice"`
}

func (f *found) ids() string {
	ids := make([]string, len(f.Results))
	for i, r := range f.Results {
		ids[i] = r.ID
	}
	return strings.Join(ids, " ")
}

// sortedIDs are for where the order is not the question.
func (f *found) sortedIDs() string {
	ids := strings.Fields(f.ids())
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return strings.Join(ids, " ")
}

var (
	contractTimes = regexp.MustCompile(`"(embed|search|total)": ?[0-9.e+-]+`)
	contractTrace = regexp.MustCompile(`"trace_id": ?"[^"]*"`)
)

// same sends a request to all backends and returns their answer.
func (c contract) same(query string) (status int, body string) {
	c.Helper()
	for i, b := range c.backends {
		gotStatus, text := b.ask(query)
		got := contractTrace.ReplaceAllString(contractTimes.ReplaceAllString(text, `"$1":0`), `"trace_id":""`)
		if i == 0 {
			status, body = gotStatus, got
		}
		if gotStatus != status || got != body {
			c.Errorf("%s: %s answers %d %s\n%s answers %d %s", query, b.name, gotStatus, got, c.backends[0].name, status, body)
		}
	}
	return status, body
}

// find sends a request that must succeed.
func (c contract) find(query string) *found {
	c.Helper()
	status, body := c.same(query)
	f := new(found)
	decoder := json.NewDecoder(strings.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(f); err != nil || status != http.StatusOK {
		c.Fatalf("%s: %d %s, %v", query, status, body, err)
	}
	c.members(query, body, f.Notice != "")
	return f
}

// members checks that an answer has the members that are described, null ones too, and no others.
func (c contract) members(query, body string, noticed bool) {
	c.Helper()
	type object = map[string]json.RawMessage
	var found, model, timing object
	var results []object
	must(c, json.Unmarshal([]byte(body), &found))
	must(c, json.Unmarshal(found["model"], &model))
	must(c, json.Unmarshal(found["timing_ms"], &timing))
	must(c, json.Unmarshal(found["results"], &results))
	same := func(what string, got object, want ...string) {
		if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, want) {
			c.Errorf("%s: %s has %v, want %v", query, what, names, want)
		}
	}
	if noticed {
		same("the answer", found, "filters", "k", "model", "notice", "query", "results", "timing_ms")
	} else {
		same("the answer", found, "filters", "k", "model", "query", "results", "timing_ms")
	}
	same("model", model, "dims", "id")
	same("timing_ms", timing, "embed", "search", "total")
	parameters, err := url.ParseQuery(query)
	must(c, err)
	for _, r := range results {
		if mode := parameters.Get("mode"); mode == "" || mode == "dense" {
			same("a result", r, "id", "meta", "score", "snippet")
		} else {
			same("a result", r, "id", "meta", "rank_score", "score", "snippet")
		}
	}
}

// fail sends a request that must fail.
func (c contract) fail(query string, status int, code, message string) {
	c.Helper()
	got, body := c.same(query)
	var e struct {
		Error struct{ Code, Message string }
	}
	if err := json.Unmarshal([]byte(body), &e); err != nil || got != status || e.Error.Code != code || !strings.Contains(e.Error.Message, message) {
		c.Errorf("%.80s: %d %s, want %d %s %q", query, got, body, status, code, message)
	}
}

// cosine is what the score of a record is for a query, up to the rounding of stored vectors.
func cosine(query, text string) (sum float64) {
	a, b := embedtest.Vector(query, contractDims), embedtest.Vector(text, contractDims)
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return max(0, sum)
}

const rounding = 2e-3

func textOf(id string) string {
	for _, r := range contractRecords {
		if r.id == id {
			return r.text
		}
	}
	return ""
}

func TestContract_Retrieve(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT with -short: it takes a Postgres")
	}
	a := newContractArchives(t)
	c := a.contract(t, a.model.URL)
	for name, check := range map[string]func(contract){
		"shape": contractShape, "dense": contractDense, "hybrid": contractHybrid, "keyword": contractKeyword,
		"threshold": contractThreshold, "k": contractK, "dates": contractDates, "filters": contractFilters, "errors": contractErrors,
	} {
		t.Run(name, func(t *testing.T) { check(contract{t, c.backends}) })
	}
	t.Run("no model", func(t *testing.T) { contractNoModel(a.contract(t, "")) })
	t.Run("nothing embedded", func(t *testing.T) { contractNotEmbedded(a.beforeEmbedding(t)) })
	t.Run("other dimensions", func(t *testing.T) {
		other := a.contract(t, embedtest.New(t, embedtest.Options{Dim: otherDims}).URL)
		const message = "Expected 384, got 768"
		other.fail("q=villain", http.StatusConflict, "DIMENSION_MISMATCH", message)
		other.fail("q=villain&mode=hybrid", http.StatusConflict, "DIMENSION_MISMATCH", message)
		if got := other.find("q=villain&mode=keyword"); len(got.Results) == 0 {
			t.Errorf("keyword mode finds nothing")
		}
	})
	t.Run("a model server that fails", func(t *testing.T) {
		failing := a.contract(t, embedtest.New(t, embedtest.Options{Key: "another"}).URL)
		failing.fail("q=villain", http.StatusServiceUnavailable, "UNAVAILABLE", "")
		if got := failing.find("q=villain&mode=hybrid"); got.Notice == "" || got.Results[0].Score != nil {
			t.Errorf("hybrid: %+v", got)
		}
	})
}

func contractShape(c contract) {
	got := c.find("q=a+villain+%26+more&k=3&filter.entity=character&filter.since=2024")
	if got.Query != "a villain & more" || got.K != 3 || len(got.Filters) != 2 || got.Filters["entity"] != "character" || got.Filters["since"] != "2024-01-01T00:00:00Z" {
		c.Errorf("got %+v", got)
	}
	name, revision, named := strings.Cut(got.Model.ID, "@")
	if name != "text-embedding-3-large" || !named || revision == "" || got.Model.Dims != contractDims {
		c.Errorf("model %+v", got.Model)
	}
	c.timing()
	for _, r := range c.find("q=villain&k=50").Results {
		var meta bytes.Buffer
		i := slices.IndexFunc(contractRecords, func(known struct{ id, text, modified, meta string }) bool { return known.id == r.ID })
		must(c, json.Compact(&meta, r.Meta))
		want := new(bytes.Buffer)
		must(c, json.Compact(want, []byte(contractRecords[i].meta)))
		if meta.String() != want.String() || !strings.Contains(r.Snippet, contractRecords[i].text) {
			c.Errorf("%s: meta %s, snippet %q", r.ID, meta.String(), r.Snippet)
		}
	}
	if _, body := c.same("q=villain&filter.entity=planet"); !strings.Contains(strings.Join(strings.Fields(body), ""), `"results":[]`) {
		c.Errorf("nothing found: %s", body)
	}
}

// timing checks the times of one backend after another: same leaves them out. The model takes a moment for a new text.
func (c contract) timing() {
	for i, b := range c.backends {
		var f found
		_, body := b.ask(fmt.Sprintf("q=a+villain+on+backend+%d", i))
		must(c, json.Unmarshal([]byte(body), &f))
		embed, search, total := *f.Timing.Embed, *f.Timing.Search, *f.Timing.Total
		if embed <= 0 || search <= 0 || total < embed+search || total > 60_000 {
			c.Errorf("%s: embedded in %v, searched in %v, all in %v ms", b.name, embed, search, total)
		}
	}
}

// The default is dense, and the score the cosine, never negative. What has no vector is left out.
func contractDense(c contract) {
	for _, query := range []string{"a villain plots in a castle", "bread", "xyzzy"} {
		got := c.find("k=50&q=" + url.QueryEscape(query))
		if len(got.Results) != len(contractRecords)-1 {
			c.Errorf("%s: %s", query, got.ids())
		}
		last, negative := 1.0, 0
		for _, r := range got.Results {
			if r.RankScore != nil || r.Score == nil || math.Abs(*r.Score-cosine(query, textOf(r.ID))) > rounding || *r.Score > last {
				c.Errorf("%s: %s has %v, want %v", query, r.ID, r.Score, cosine(query, textOf(r.ID)))
			}
			if last = *r.Score; last == 0 {
				negative++
			}
		}
		if query == "xyzzy" && negative == 0 {
			c.Errorf("no cosine is negative: choose another word")
		}
		if explicit := c.find("k=50&mode=dense&q=" + url.QueryEscape(query)); explicit.ids() != got.ids() {
			c.Errorf("%s: %s in dense mode, %s by default", query, explicit.ids(), got.ids())
		}
	}
}

func contractHybrid(c contract) {
	got := c.find("k=50&mode=hybrid&q=villain+castle")
	last := math.Inf(1)
	for _, r := range got.Results {
		if r.RankScore == nil || *r.RankScore > last || *r.RankScore < 0 {
			c.Fatalf("%s: rank_score %v after %v", r.ID, r.RankScore, last)
		}
		last = *r.RankScore
		switch {
		case r.ID == "5" && r.Score != nil:
			c.Errorf("what has no vector has score %v", *r.Score)
		case r.ID != "5" && (r.Score == nil || math.Abs(*r.Score-cosine("villain castle", textOf(r.ID))) > rounding):
			c.Errorf("%s has score %v, want %v", r.ID, r.Score, cosine("villain castle", textOf(r.ID)))
		}
	}
	if len(got.Results) != len(contractRecords) || got.Results[0].ID != "2" || got.Notice != "" {
		c.Errorf("got %s, notice %q", got.ids(), got.Notice)
	}
}

func contractKeyword(c contract) {
	got := c.find("k=50&mode=keyword&q=villain+castle")
	last := math.Inf(1)
	for _, r := range got.Results {
		if r.Score != nil || r.RankScore == nil || *r.RankScore > last || *r.RankScore <= 0 {
			c.Errorf("%+v after %v", r, last)
		}
		last = *r.RankScore
	}
	if got.sortedIDs() != "1 2 3 5 6 9 10" || got.Results[0].ID != "2" || got.Notice != "" || *got.Timing.Embed != 0 {
		c.Errorf("got %s, notice %q, embedded in %v", got.ids(), got.Notice, *got.Timing.Embed)
	}
	if none := c.find("mode=keyword&q=xyzzy"); len(none.Results) != 0 {
		c.Errorf("an unknown word finds %s", none.ids())
	}
}

func contractThreshold(c contract) {
	const query = "villain castle"
	for _, mode := range []string{"dense", "hybrid"} {
		whole := c.find("k=50&mode=" + mode + "&q=" + url.QueryEscape(query))
		for _, least := range []float64{1e-9, 0.2, 0.4, 0.6, 1} {
			var want []string
			for _, r := range whole.Results {
				if r.Score != nil && *r.Score >= least {
					want = append(want, r.ID)
				}
			}
			for _, k := range []int{1, 2, 50} {
				got := c.find(fmt.Sprintf("k=%d&mode=%s&threshold=%g&q=%s", k, mode, least, url.QueryEscape(query)))
				if got.ids() != strings.Join(want[:min(k, len(want))], " ") {
					c.Errorf("%s, %v, k = %d: got %s, want the first of %v", mode, least, k, got.ids(), want)
				}
			}
		}
		if zero := c.find("k=50&threshold=0&mode=" + mode + "&q=" + url.QueryEscape(query)); zero.ids() != whole.ids() {
			c.Errorf("%s: threshold 0 leaves %s", mode, zero.ids())
		}
	}
	c.fail("q=villain&mode=keyword&threshold=0.1", http.StatusBadRequest, "INVALID_ARGUMENT", "threshold")
	if got := c.find("q=villain&mode=keyword&threshold=0"); len(got.Results) == 0 {
		c.Errorf("threshold 0 in keyword mode finds nothing")
	}
	for _, threshold := range []string{"-0.1", "1.1", "NaN", "high"} {
		c.fail("q=villain&threshold="+threshold, http.StatusBadRequest, "INVALID_ARGUMENT", "threshold")
	}
}

func contractK(c contract) {
	if got := c.find("q=villain"); got.K != 5 || len(got.Results) != 5 {
		c.Errorf("by default k is %d: %s", got.K, got.ids())
	}
	for _, mode := range []string{"dense", "hybrid", "keyword"} {
		all := c.find("q=villain+castle&k=50&mode=" + mode)
		if one := c.find("q=villain+castle&k=1&mode=" + mode); one.ids() != all.Results[0].ID {
			c.Errorf("%s: first %s, alone %s", mode, all.Results[0].ID, one.ids())
		}
	}
	for _, k := range []string{"0", "51", "-1", "1.5", "many"} {
		c.fail("q=villain&k="+k, http.StatusBadRequest, "INVALID_ARGUMENT", "k must be")
	}
}

// Both ends are included: a date, a month, a year as a whole, an instant as itself. What has no time never passes.
func contractDates(c contract) {
	for query, want := range map[string]string{
		"filter.since=2024":                                                     "2 3 4 6 7 9 10",
		"filter.until=2024":                                                     "1 2 3 4 6 9 10",
		"filter.until=2023":                                                     "1",
		"filter.since=2024&filter.until=2024":                                   "2 3 4 6 9 10",
		"filter.since=2024-01&filter.until=2024-01":                             "2 3",
		"filter.since=2024-02&filter.until=2024-02-29":                          "4",
		"filter.until=2024-02-28":                                               "1 2 3",
		"filter.since=2024-01-31&filter.until=2024-01-31":                       "3",
		"filter.until=2024-01-31T23:59:59Z":                                     "1 2 3",
		"filter.until=2024-01-31T23:59:58Z":                                     "1 2",
		"filter.until=2024-02-01T01:59:59%2B02:00":                              "1 2 3",
		"filter.since=2024-06-15T10:30:00Z&filter.until=2024-06-15T10:30:00Z":   "10",
		"filter.since=2024-06-15T10:30:00Z&filter.until=2024-06-15T10:30:00.5Z": "9 10",
		"filter.since=2024-12-31T23:59:59Z&filter.until=2024-12-31T23:59:59Z":   "6",
		"filter.until=2023-12-31T23:59:59.999999Z":                              "1",
		"filter.until=2023-12-31T23:59:59.999998Z":                              "",
		"filter.since=2025-01-01":                                               "7",
		"filter.since=2025-01-02":                                               "",
	} {
		if got := c.find("q=villain&k=50&mode=dense&" + query); got.sortedIDs() != want {
			c.Errorf("%s: got %s, want %s", query, got.sortedIDs(), want)
		}
	}
	if got := c.find("q=villain&k=50&mode=hybrid&filter.since=2024-03-01&filter.until=2024-03-01"); got.ids() != "5" {
		c.Errorf("without a vector: %s", got.ids())
	}
	c.fail("q=x&filter.since=soon", http.StatusBadRequest, "INVALID_ARGUMENT", "filter.since")
	c.fail("q=x&filter.until=soon", http.StatusBadRequest, "INVALID_ARGUMENT", "filter.until")
	c.fail("q=x&filter.since=2025&filter.until=2024", http.StatusBadRequest, "INVALID_ARGUMENT", "filter.until is before filter.since")
	for _, until := range []string{"2024-01", "2024-01-31T23:59:59Z", "2023-12-31"} { // what is understood means the same
		got := c.find("q=villain&k=50&filter.until=" + until)
		again := c.find("q=villain&k=50&filter.until=" + url.QueryEscape(got.Filters["until"]))
		if again.ids() != got.ids() || again.Filters["until"] != got.Filters["until"] {
			c.Errorf("%s is understood as %s, and that as %s", until, got.Filters["until"], again.Filters["until"])
		}
	}
}

func contractFilters(c contract) {
	for query, want := range map[string]string{
		"filter.entity=character":                      "2 3 4 10",
		"filter.id=9":                                  "9",
		"filter.id=nine":                               "",
		"filter.at.place=Latveria":                     "2",
		"filter.entity=story&filter.urls=%C3%BC":       "1",
		"filter.entity=character&filter.since=2024-02": "4 10",
		"filter.1=2":                                   "9",
		"filter.entity=planet":                         "",
	} {
		for _, mode := range []string{"dense", "hybrid"} {
			if got := c.find("q=villain&k=50&mode=" + mode + "&" + query); got.sortedIDs() != want {
				c.Errorf("%s, %s: got %s, want %s", mode, query, got.sortedIDs(), want)
			}
		}
	}
	// The best of those that pass, not those that pass of the best.
	if got := c.find("q=villain+castle&k=1&filter.entity=event"); got.ids() != "8" {
		c.Errorf("the best event is %s", got.ids())
	}
}

func contractErrors(c contract) {
	for _, query := range []string{"", "q=", "q=+", "k=3", "q=a&q=b", "q=x&query=y", "q=x&mode=auto", "q=x&mode=Dense", "q=x&filter.=1", "q=x&filter.a=1&filter.a=2", "q=x&sources=chunks", "q=x&entity=a"} {
		c.fail(query, http.StatusBadRequest, "INVALID_ARGUMENT", "")
	}
	c.fail("q="+strings.Repeat("x", 8<<10+1), http.StatusRequestEntityTooLarge, "TOO_LARGE", "")
	if got := c.find("q=" + strings.Repeat("x", 8<<10)); len(got.Results) != 5 {
		c.Errorf("8 KiB find %s", got.ids())
	}
}

// Without a model, words rank, and hybrid mode says so; what needs a cosine is refused.
func contractNoModel(c contract) {
	words := c.find("q=villain+castle&k=50&mode=keyword")
	hybrid := c.find("q=villain+castle&k=50&mode=hybrid")
	if words.sortedIDs() != "1 2 3 5 6 9 10" || words.Notice != hybrid.Notice || hybrid.ids() != words.ids() || !strings.Contains(hybrid.Notice, "no embedding model") {
		c.Errorf("keyword: %s %q, hybrid: %s %q", words.ids(), words.Notice, hybrid.ids(), hybrid.Notice)
	}
	for i, r := range hybrid.Results {
		if r.Score != nil || r.RankScore == nil || *r.RankScore != *words.Results[i].RankScore {
			c.Errorf("hybrid: %+v, keyword: %+v", r, words.Results[i])
		}
	}
	c.fail("q=villain", http.StatusServiceUnavailable, "UNAVAILABLE", "No embedding model is configured")
	c.fail("q=villain&mode=hybrid&threshold=0.1", http.StatusServiceUnavailable, "UNAVAILABLE", "")
	c.fail("q=villain&mode=keyword&threshold=0.1", http.StatusBadRequest, "INVALID_ARGUMENT", "threshold")
}

// Before anything is embedded, words rank, too.
func contractNotEmbedded(c contract) {
	for _, mode := range []string{"keyword", "hybrid"} {
		got := c.find("q=villain+castle&k=50&mode=" + mode)
		if got.sortedIDs() != "1 2 3 5 6 9 10" || got.Results[0].ID != "2" || !strings.Contains(got.Notice, "nothing is embedded") {
			c.Errorf("%s: got %s, notice %q", mode, got.ids(), got.Notice)
		}
		if got.Model.ID != "" || got.Model.Dims != 0 || got.Results[0].Score != nil {
			c.Errorf("%s: model %+v, score %v", mode, got.Model, got.Results[0].Score)
		}
	}
	c.fail("q=villain", http.StatusNotFound, "NOT_FOUND", "Nothing is embedded yet")
	c.fail("q=villain&mode=hybrid&threshold=0.1", http.StatusNotFound, "NOT_FOUND", "Nothing is embedded yet")
}
