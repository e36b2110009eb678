package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"

	"lens/agent"
	"lens/internal/errs"
)

// contract is the OpenAPI document as a client reads it.
type contract struct {
	Paths map[string]map[string]struct {
		ID         string `json:"operationId"`
		Summary    string
		Security   *[]any
		Parameters []openAPIParameter
		Body       *struct {
			Content map[string]struct {
				Schema map[string]string
			}
		} `json:"requestBody"`
		Responses map[string]struct {
			Description string
			Content     map[string]struct{ Schema map[string]string }
		}
	}
	Components struct {
		Schemas map[string]*jsonschema.Schema
	}
}

func readContract(t *testing.T, text []byte) *contract {
	t.Helper()
	c := new(contract)
	if err := json.Unmarshal(text, c); err != nil {
		t.Fatal(err)
	}
	return c
}

// audit sends requests, checks every response against the contract, and records which responses were seen.
type audit struct {
	t        *testing.T
	contract *contract
	schemas  map[string]*jsonschema.Resolved
	seen     map[string]bool // "get /docs 200"
}

func newAudit(t *testing.T) *audit {
	t.Helper()
	server, err := New(Options{Engine: engineFunc(someChats)})
	if err != nil {
		t.Fatal(err)
	}
	a := &audit{t: t, contract: readContract(t, server.OpenAPI()), schemas: map[string]*jsonschema.Resolved{}, seen: map[string]bool{}}
	for name, schema := range a.contract.Components.Schemas {
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		a.schemas[name] = resolved
	}
	return a
}

// expect sends a request and checks status, code and shape of the response.
func (a *audit) expect(s *service, method, path, query, body string, status int, code string, headers ...string) answer {
	a.t.Helper()
	got := s.ask(strings.ToUpper(method), fill(path)+query, body, headers...)
	what := fmt.Sprintf("%s %s%s %.60s", method, path, query, body)
	if got.status != status || got.code() != code {
		a.t.Errorf("%s: status %d, code %s, want %d, %s\n%s", what, got.status, got.code(), status, code, got.body)
		return got
	}
	if trace := got.header.Get("X-Request-Id"); trace == "" || code != "" && !strings.Contains(string(got.body), trace) {
		a.t.Errorf("%s: no trace id, or another one in the body", what)
	}
	documented, ok := a.contract.Paths[path][method].Responses[strconv.Itoa(status)]
	if !ok || code != "" && !strings.Contains(documented.Description, code) {
		a.t.Errorf("%s: %d %s is not documented", what, status, code)
		return got
	}
	a.seen[fmt.Sprintf("%s %s %d %s", method, path, status, code)] = true
	a.check(what, got, documented.Content)
	return got
}

// check validates a body against its schema.
func (a *audit) check(what string, got answer, kinds map[string]struct{ Schema map[string]string }) {
	a.t.Helper()
	kind, _, _ := strings.Cut(got.header.Get("Content-Type"), ";")
	media, ok := kinds[kind]
	if !ok {
		a.t.Errorf("%s: content type %q is not documented", what, kind)
		return
	}
	name, ok := strings.CutPrefix(media.Schema["$ref"], "#/components/schemas/")
	if !ok {
		return
	}
	var value any
	if err := json.Unmarshal(got.body, &value); err != nil {
		a.t.Errorf("%s: %v", what, err)
		return
	}
	if err := a.schemas[name].Validate(value); err != nil {
		a.t.Errorf("%s is no %s: %v\n%.300s", what, name, err, got.body)
	}
}

const (
	knownSession  = "0b4f7f6e-7d4f-4f5e-9d2c-0a1b2c3d4e5f"
	emptyQuestion = `{"messages":[{"role":"user","content":"when?"}]}`
)

// fill replaces the placeholders of a path.
func fill(path string) string {
	return strings.NewReplacer("{turn_id}", "ffffffff", "{id}", knownSession, "{model}", completionsModel).Replace(path)
}

// bodies are valid request bodies, by route.
var bodies = map[string]string{
	"/chat": emptyQuestion, "/v1/chat/completions": `{"model":"lens",` + emptyQuestion[1:], "/sessions": `{"name":"bread"}`, "/sessions/{id}": `{"pinned":true}`,
	"/search": `{"query":"bread"}`, "/rerank": `{"hits":[` + aHit + `]}`, "/answer": `{"hits":[` + aHit + `],"prompt":"bread"}`,
}

// required returns the query with what a route needs: its required parameters, or query where a filter may replace it.
func required(parameters []openAPIParameter) string {
	for _, p := range parameters {
		if p.In == "query" && p.Name == "id" {
			return "?id=ffffffff"
		}
		if p.In == "query" && p.Name == "when" {
			return "?when=2024"
		}
		if p.In == "query" && (p.Required || p.Name == "query") {
			return "?" + p.Name + "=bread"
		}
	}
	return ""
}

func knownChats() *memory {
	return &memory{all: map[string]agent.Session{knownSession: {ID: knownSession, Name: "n", Exchanges: []agent.Exchange{{Question: "q", Answer: "a", Citations: []agent.Citation{}}}}}}
}

func TestContract_EveryRoute(t *testing.T) {
	a := newAudit(t)
	a.wellAsked()
	a.refused()
	a.broken()
	a.withoutArchive()
	var missing []string
	for path, methods := range a.contract.Paths {
		for method, op := range methods {
			for status, response := range op.Responses {
				for code := range strings.SplitSeq(strings.TrimSuffix(response.Description, "."), " or ") {
					if status[0] < '4' {
						code = ""
					}
					if !a.seen[method+" "+path+" "+status+" "+code] && !unbreakable(path, status) {
						missing = append(missing, method+" "+path+" "+status+" "+code)
					}
				}
			}
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("documented, and never seen:\n%s", strings.Join(missing, "\n"))
	}
}

// unbreakable reports whether a route cannot fail, because its response is fixed.
func unbreakable(path, status string) bool {
	return status == "500" && slices.Contains([]string{"/healthz", "/metrics", "/openapi.json", "/docs", "/v1/models", "/v1/models/{model}", "/rerank"}, path)
}

// wellAsked sends a valid request to every route.
func (a *audit) wellAsked() {
	s := start(a.t, func(o *Options) { o.Investigate, o.Sessions = asking(words("From ", "nothing.")), knownChats() })
	for path, methods := range a.contract.Paths {
		for method, op := range methods {
			for status := range op.Responses {
				if status[0] != '2' || path == "/retrieval/turn/{turn_id}" {
					continue
				}
				want, _ := strconv.Atoi(status)
				a.expect(s, method, path, required(op.Parameters), bodyOf(method, path), want, "")
			}
		}
	}
	peek := a.expect(s, "get", "/retrieval/peek", "?query=bread&mode=keyword&bin=month&top_k=50&top_n_snippets=5&all_branches=true&start_time=2020&end_time=2030-01-01T00:00:00Z", "", 200, "")
	if byTime := a.expect(s, "get", "/retrieval/peek", "?has_code=false", "", 200, ""); !strings.Contains(string(byTime.body), `"score":null`) {
		a.t.Errorf("without words there is a score: %.300s", byTime.body)
	}
	dated := a.expect(s, "get", "/retrieval/peek", "?query=bread+since+2020&mode=keyword&dates=soft", "", 200, "")
	if !strings.Contains(string(dated.body), `"dates":{"text":"since 2020","from":"2020-01-01T00:00:00Z","to":null`) {
		a.t.Errorf("the dates are not said: %.300s", dated.body)
	}
	var found struct {
		Matches []struct {
			TurnID uuid.UUID `json:"turn_id"`
		}
	}
	if err := json.Unmarshal(peek.body, &found); err != nil || len(found.Matches) == 0 {
		a.t.Fatalf("nothing found: %v", err)
	}
	if none := a.expect(s, "get", "/retrieval/peek", "?query=bread&top_n_snippets=0", "", 200, ""); !strings.Contains(string(none.body), `"matches":[]`) {
		a.t.Errorf("no match was wished for, and there are some: %.300s", none.body)
	}
	got := s.ask("GET", "/retrieval/turn/"+found.Matches[0].TurnID.String(), "")
	a.check("a turn", got, a.contract.Paths["/retrieval/turn/{turn_id}"]["get"].Responses["200"].Content)
	a.seen["get /retrieval/turn/{turn_id} 200 "] = got.status == http.StatusOK
	empty := start(a.t, func(o *Options) { o.Engine = engineFunc(emptyArchive) })
	a.expect(empty, "get", "/retrieval/peek", "?query=bread", "", 200, "")
	a.expect(empty, "get", "/retrieval/activity", "", "", 200, "")
	a.expect(empty, "get", "/retrieval/turn/{turn_id}", "", "", 404, codeNotFound)
	a.expect(empty, "get", "/readyz", "", "", 200, "")
	a.expect(empty, "get", "/sessions", "", "", 200, "")
}

func bodyOf(method, path string) string {
	if method == "get" || method == "delete" {
		return ""
	}
	return bodies[path]
}

// broken sends requests to every route while its backend fails in every possible way.
func (a *audit) broken() {
	for code, p := range codes {
		s := start(a.t, func(o *Options) {
			o.Engine, o.Sessions, o.Offline = failing(coded(code)), &memory{fail: coded(code)}, notes{fail: coded(code)}
			o.Retriever = shelf{fail: coded(code)}
			o.Investigate = func(context.Context, uuid.UUID) (agent.Request, error) { return agent.Request{}, coded(code) }
		})
		a.askAll(s, p.Code, statusOf[p.Code])
	}
	s := start(a.t, func(o *Options) {
		o.Engine = func(context.Context) (Engine, error) { panic("secret") }
		o.Investigate = func(context.Context, uuid.UUID) (agent.Request, error) {
			return agent.Request{}, &errs.Error{Code: errs.Unavailable, Op: "agent: run", Message: "secret"}
		}
	})
	a.askAll(s, codeProvider, http.StatusBadGateway)
	a.askAll(s, codeInternal, http.StatusInternalServerError)
	s = start(a.t, func(o *Options) {
		o.Sessions, o.Offline, o.Retriever = &memory{fail: fmt.Errorf("secret")}, notes{fail: fmt.Errorf("secret")}, shelf{fail: fmt.Errorf("secret")}
		o.Investigate = func(context.Context, uuid.UUID) (agent.Request, error) { return agent.Request{}, fmt.Errorf("secret") }
	})
	a.askAll(s, codeInternal, http.StatusInternalServerError)
}

// withoutArchive sends a request to every route while only the archive fails: a route that reads it documents how.
func (a *audit) withoutArchive() {
	for _, code := range []errs.Code{errs.NotFound, errs.Blocked, errs.Locked, errs.Unavailable} {
		s := start(a.t, func(o *Options) {
			o.Engine, o.Investigate, o.Sessions = failing(coded(code)), asking(words("no")), knownChats()
		})
		for path, methods := range a.contract.Paths {
			for method, op := range methods {
				got := s.ask(strings.ToUpper(method), fill(path)+required(op.Parameters), bodyOf(method, path))
				if documented, ok := op.Responses[strconv.Itoa(got.status)]; !ok || !strings.Contains(documented.Description, got.code()) {
					a.t.Errorf("%s %s: %d %s is not documented", method, path, got.status, got.code())
				}
			}
		}
	}
}

// askAll sends a request to every route that documents a code.
func (a *audit) askAll(s *service, code string, status int) {
	a.t.Helper()
	for path, methods := range a.contract.Paths {
		for method, op := range methods {
			documented := op.Responses[strconv.Itoa(status)]
			if !strings.Contains(documented.Description, code) {
				continue
			}
			got := s.ask(strings.ToUpper(method), fill(path)+required(op.Parameters), bodyOf(method, path))
			if got.code() == code && got.status == status {
				a.seen[fmt.Sprintf("%s %s %d %s", method, path, status, code)] = true
				a.check(path, got, documented.Content)
			}
			if strings.Contains(string(got.body), "secret") {
				a.t.Errorf("%s %s discloses a secret: %s", method, path, got.body)
			}
		}
	}
}

func TestOpenAPI_IsValid(t *testing.T) {
	s := start(t, nil)
	got := s.ask("GET", "/openapi.json", "")
	c := readContract(t, got.body)
	ids := map[string]bool{}
	for path, methods := range c.Paths {
		for method, op := range methods {
			if op.ID == "" || ids[op.ID] {
				t.Errorf("%s %s: the operationId %q is empty or another's", method, path, op.ID)
			}
			ids[op.ID] = true
			if op.Summary == "" || len(op.Summary) > 80 {
				t.Errorf("%s %s: %q is no summary", method, path, op.Summary)
			}
			for _, p := range op.Parameters {
				if p.In == "path" != strings.Contains(path, "{"+p.Name+"}") || p.Description == "" {
					t.Errorf("%s %s: parameter %s is not in the path or has no description", method, path, p.Name)
				}
			}
		}
	}
	want := []string{
		"/answer", "/chat", "/docs", "/healthz", "/metrics", "/openapi.json", "/readyz", "/rerank", "/retrieve", "/search", "/retrieval/about", "/retrieval/activity", "/retrieval/compare", "/retrieval/peek", "/retrieval/topics", "/retrieval/turns", "/retrieval/turn/{turn_id}", "/sessions", "/sessions/{id}", "/v1/chat/completions", "/v1/models", "/v1/models/{model}",
	}
	for _, path := range want {
		if c.Paths[path] == nil {
			t.Errorf("%s is missing from %v", path, slices.Sorted(maps.Keys(c.Paths)))
		}
	}
	page := s.ask("GET", "/docs", "")
	for path := range c.Paths {
		if !strings.Contains(string(page.body), path) {
			t.Errorf("the page does not mention %s", path)
		}
	}
	for _, outside := range []string{"http://", "https://", "<script", "src="} {
		if strings.Contains(string(page.body), outside) {
			t.Errorf("the page has %s in it: it must load nothing", outside)
		}
	}
}

func TestServer_UnknownPath(t *testing.T) {
	s := start(t, nil)
	if got := s.ask("GET", "/nothing/here?query=x", ""); got.status != 404 || got.code() != codeNotFound {
		t.Errorf("got %d %s", got.status, got.body)
	}
	got := s.ask("DELETE", "/retrieval/peek", "")
	if got.status != 405 || got.code() != codeMethod || got.header.Get("Allow") != "GET, HEAD" {
		t.Errorf("got %d %s, allow %q", got.status, got.body, got.header.Get("Allow"))
	}
}

// A client that retries after Retry-After must have a chance to succeed.
func TestError_RetryAfter(t *testing.T) {
	refused := &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	for _, c := range []struct {
		err  error
		wait bool
	}{
		{coded("unavailable"), false}, // no turn is embedded, no model is configured
		{&errs.Error{Code: errs.Unavailable, Op: "agent: run"}, false},
		{fmt.Errorf("above: %w", &errs.Error{Code: errs.Unavailable, Op: "agent: run", Err: coded("unavailable")}), false},
		{&errs.Error{Code: errs.Unavailable, Op: "agent: run", Err: refused}, true},
		{context.DeadlineExceeded, true},
		{coded("rate_limited"), true},
		{coded("locked"), false},
	} {
		s := start(t, func(o *Options) { o.Engine = failing(c.err) })
		if got := s.ask("GET", "/retrieval/peek?query=bread", ""); got.header.Get("Retry-After") != "" != c.wait || got.status < 400 {
			t.Errorf("%v: %d, Retry-After %q", c.err, got.status, got.header.Get("Retry-After"))
		}
	}
	s := start(t, nil)
	if got := s.ask("POST", "/chat", emptyQuestion); got.status != 503 || got.header.Get("Retry-After") != "" {
		t.Errorf("without a chat model: %d, Retry-After %q", got.status, got.header.Get("Retry-After"))
	}
}

func TestServer_RequestTimeout(t *testing.T) {
	s := start(t, func(o *Options) {
		o.Timeouts.Request = time.Millisecond
		o.Engine = func(ctx context.Context) (Engine, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
	})
	if got := s.ask("GET", "/retrieval/activity", ""); got.status != 503 || got.code() != codeUnavailable || got.header.Get("Retry-After") == "" {
		t.Errorf("got %d %s", got.status, got.body)
	}
}
