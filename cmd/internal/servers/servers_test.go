package servers

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"lens/agent"
	"lens/cmd/internal/config"
	"lens/internal/testenv"
)

// place starts a server that answers with replies, by method and path, and returns its place.
func place(t *testing.T, program string, replies map[string]string) Place {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		reply, ok := replies[r.Method+" "+r.URL.Path+string(body)]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = io.WriteString(w, reply)
	}))
	t.Cleanup(server.Close)
	return Place{program, portOf(t, server.URL)}
}

func portOf(t *testing.T, address string) int {
	t.Helper()
	u, err := url.Parse(address)
	testenv.Must(t, err)
	port, err := strconv.Atoi(u.Port())
	testenv.Must(t, err)
	return port
}

func TestFind(t *testing.T) {
	places := []Place{
		place(t, "Ollama", map[string]string{
			"GET /v1/models": `{"data":[{"id":"all-minilm:latest"},{"id":"snowfall:7b"},{"id":"llama3.2"}]}`,
			`POST /api/show{"model":"all-minilm:latest"}`: `{"capabilities":["embedding"]}`,
			`POST /api/show{"model":"snowfall:7b"}`:       `{"capabilities":["embedding"]}`,
			`POST /api/show{"model":"llama3.2"}`:          `{"capabilities":["completion","tools"]}`,
		}),
		place(t, "LM Studio", map[string]string{
			"GET /v1/models":     `{"data":[{"id":"qwen3-4b"},{"id":"vectors"},{"id":"embedded-llm"}]}`,
			"GET /api/v0/models": `{"data":[{"id":"qwen3-4b","type":"llm"},{"id":"vectors","type":"embeddings"},{"id":"embedded-llm","type":"vlm"}]}`,
		}),
		place(t, "llama.cpp", map[string]string{"GET /v1/models": `{"data":[{"id":"/models/nomic-embed-text-v1.5.gguf"},{"id":"gemma"}]}`}),
		place(t, "no models", map[string]string{"GET /v1/models": `{"data":[]}`}),
		place(t, "a web page", map[string]string{"GET /v1/models": "<html>"}),
		place(t, "other JSON", map[string]string{"GET /v1/models": `{"models":[]}`}),
		place(t, "not found", nil),
	}
	got := Find(t.Context(), places)
	base := func(i int) string { return "http://127.0.0.1:" + strconv.Itoa(places[i].Port) + "/v1" }
	want := []Server{
		{"Ollama", base(0), []string{"all-minilm:latest", "snowfall:7b"}, []string{"llama3.2"}},
		{"LM Studio", base(1), []string{"vectors"}, []string{"qwen3-4b", "embedded-llm"}},
		{"llama.cpp", base(2), []string{"/models/nomic-embed-text-v1.5.gguf"}, []string{"gemma"}},
		{"no models", base(3), nil, nil},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v, want\n%+v", got, want)
	}
}

// A server may send elsewhere what it is asked.
func TestFind_FollowsNoRedirect(t *testing.T) {
	asked := 0
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer elsewhere.Close()
	server := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusFound))
	defer server.Close()
	if found := Find(t.Context(), []Place{{"x", portOf(t, server.URL)}}); found != nil || asked != 0 {
		t.Errorf("found %+v, %d requests elsewhere", found, asked)
	}
}

func TestFind_NothingAnswers(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	if found := Find(t.Context(), []Place{{"x", portOf(t, server.URL)}}); found != nil {
		t.Errorf("found %+v", found)
	}
}

func TestCheck(t *testing.T) {
	p := place(t, "Ollama", map[string]string{
		"GET /v1/models": `{"data":[{"id":"$(rm)-embed"},{"id":"nomic-embed-text:latest"},{"id":"llama3.2"}]}`,
	})
	base := "http://127.0.0.1:" + strconv.Itoa(p.Port) + "/v1"
	message := "Ollama answers at " + base + ": for embedding $(rm)-embed, nomic-embed-text:latest; for chat llama3.2"
	own := config.Config{Chat: config.Chat{BaseURL: base}}
	models := own
	models.Chat.Model, models.Embedding.Model = "llama3.2", "nomic-embed-text"
	local := models
	local.Chat.BaseURL = strings.Replace(base, "127.0.0.1", "localhost", 1)
	for name, c := range map[string]struct {
		cfg  config.Config
		hint string
	}{
		"nothing configured": {config.Config{}, "to use it, set OPENAI_BASE_URL=" + base + " LENS_EMBEDDING_MODEL=nomic-embed-text:latest LENS_CHAT_MODEL=llama3.2"},
		"its address alone":  {own, "to use it, set LENS_EMBEDDING_MODEL=nomic-embed-text:latest LENS_CHAT_MODEL=llama3.2"},
		"its models":         {models, ""},
		"by name":            {local, ""},
	} {
		checks := Check(c.cfg, []Place{p})(t.Context())
		if len(checks) != 1 || checks[0].Message != message || checks[0].Hint != c.hint {
			t.Errorf("%s: %+v", name, checks)
		}
	}
	for _, cfg := range []config.Config{{Offline: true}, {Security: config.Paranoid}} {
		if checks := Check(cfg, []Place{p})(t.Context()); checks != nil {
			t.Errorf("%+v: %+v", cfg, checks)
		}
	}
}

func TestOffers(t *testing.T) {
	p := place(t, "Ollama", map[string]string{"GET /v1/models": `{"data":[{"id":"llama3.2"}]}`})
	base := "http://127.0.0.1:" + strconv.Itoa(p.Port) + "/v1"
	want := []string{"Ollama answers at " + base + ": for chat llama3.2. To use it, set", "OPENAI_BASE_URL=" + base, "LENS_CHAT_MODEL=llama3.2"}
	if got := Offers(config.Config{}, []Place{p})(t.Context()); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
	used := config.Config{Chat: config.Chat{BaseURL: base, Model: "llama3.2"}}
	for _, cfg := range []config.Config{used, {Offline: true}, {Security: config.Paranoid}} {
		if got := Offers(cfg, []Place{p})(t.Context()); got != nil {
			t.Errorf("%+v: got %q", cfg, got)
		}
	}
}

type canned func(r *http.Request) string

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader([]byte(c(r))))}, nil
}

func FuzzServer(f *testing.F) {
	f.Add(`{"data":[{"id":"m"}]}`, `{"data":[{"id":"m","type":"llm"}]}`, `{"capabilities":["embedding"]}`)
	f.Add(`{"data":null}`, `[]`, `{"capabilities":{}}`)
	f.Add(`{"models":[{"name":"m","context_length":-1}]}`, `{"data":[{"id":"m","max_context_length":-1}]}`,
		`{"capabilities":["x"],"parameters":"num_ctx -1","model_info":{"general.architecture":"a","a.context_length":-1e9}}`)
	f.Add(``, ``, `{"default_generation_settings":{"n_ctx":-1},"chat_template_caps":{"supports_tools":false}}`)
	f.Fuzz(func(t *testing.T, list, types, shown string) {
		a := &asker{&http.Client{Transport: canned(func(r *http.Request) string {
			return map[string]string{
				"/v1/models": list, "/api/v0/models": types, "/api/show": shown, "/api/ps": list, "/props": shown,
			}[r.URL.Path]
		})}, "http://127.0.0.1:1"}
		for _, limits := range []func(context.Context, string) (agent.Limits, bool){a.llamaCPP, a.lmStudio, a.ollama} {
			if l, _ := limits(context.Background(), "m"); l.Context < 0 {
				t.Errorf("limits %+v", l)
			}
		}
		s := a.server(context.Background(), Place{"x", 1})
		if s == nil {
			return
		}
		if len(s.Embed)+len(s.Chat) > maxModels {
			t.Errorf("%d models", len(s.Embed)+len(s.Chat))
		}
		if hint := strings.Join(s.settings(config.Config{}), " "); strings.ContainsAny(hint, "$`;&|<>\"'\\\n") {
			t.Errorf("the hint %q is no plain command", hint)
		}
	})
}
