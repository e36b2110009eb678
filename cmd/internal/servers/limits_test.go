package servers

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lens/agent"
)

func TestLimits(t *testing.T) {
	const trained = `"model_info":{"general.architecture":"llama","llama.context_length":131072,"clip.context_length":77}`
	for name, c := range map[string]struct {
		replies map[string]string
		want    agent.Limits
	}{
		"llama.cpp": {
			map[string]string{"GET /props": `{"default_generation_settings":{"n_ctx":16384},"chat_template_caps":{"supports_tools":true}}`},
			agent.Limits{Context: 16384},
		},
		"llama.cpp, without tools": {
			map[string]string{
				"GET /props": `{"default_generation_settings":{"n_ctx":2048},"chat_template_caps":{"supports_tools":false}}`,
				// It imitates Ollama, and does not know of tools there.
				`POST /api/show{"model":"m"}`: `{"capabilities":["completion"],` + trained + `}`,
			},
			agent.Limits{Tools: agent.ToolsUntrained, Context: 2048},
		},
		"llama.cpp, a template for tools": {
			map[string]string{"GET /props": `{"default_generation_settings":{"n_ctx":16384},"chat_template_tool_use":"{{x}}","chat_template_caps":{"supports_tools":false}}`},
			agent.Limits{Context: 16384},
		},
		"an old llama.cpp": {
			map[string]string{"GET /props": `{"default_generation_settings":{"n_ctx":4096},"total_slots":1}`},
			agent.Limits{Context: 4096},
		},
		"Ollama": {
			map[string]string{
				`POST /api/show{"model":"m"}`: `{"capabilities":["completion","tools"],"parameters":"stop  \"x\"",` + trained + `}`,
				"GET /api/ps":                 `{"models":[{"name":"other:latest","context_length":1},{"name":"m:latest","context_length":4096}]}`,
			},
			agent.Limits{Context: 4096},
		},
		"Ollama, not loaded": {
			map[string]string{
				`POST /api/show{"model":"m"}`: `{"capabilities":["completion"],"parameters":"num_ctx     8192\nstop  \"x\"",` + trained + `}`,
				"GET /api/ps":                 `{"models":[]}`,
			},
			agent.Limits{Tools: agent.ToolsRefused, Context: 8192},
		},
		"Ollama, not loaded, with its defaults": {
			map[string]string{`POST /api/show{"model":"m"}`: `{"capabilities":["completion","tools"],` + trained + `}`},
			agent.Limits{Context: 4096},
		},
		"an old Ollama": {map[string]string{`POST /api/show{"model":"m"}`: `{"parameters":"num_ctx 2048"}`}, agent.Limits{}},
		"LM Studio": {
			map[string]string{"GET /api/v0/models": `{"data":[{"id":"x"},{"id":"m","max_context_length":32768,"loaded_context_length":4096,"capabilities":["tool_use"]}]}`},
			agent.Limits{Context: 4096},
		},
		"LM Studio, not loaded": {
			map[string]string{"GET /api/v0/models": `{"data":[{"id":"m","max_context_length":32768,"capabilities":[]}]}`},
			agent.Limits{Tools: agent.ToolsUntrained, Context: 32768},
		},
		"an old LM Studio":  {map[string]string{"GET /api/v0/models": `{"data":[{"id":"m","max_context_length":2048}]}`}, agent.Limits{Context: 2048}},
		"another model":     {map[string]string{"GET /api/v0/models": `{"data":[{"id":"x","max_context_length":2048}]}`}, agent.Limits{}},
		"numbers too great": {map[string]string{`POST /api/show{"model":"m"}`: `{"capabilities":["tools"],"model_info":{"general.architecture":"a","a.context_length":1e300}}`}, agent.Limits{Context: 4096}},
		"numbers below 0":   {map[string]string{`POST /api/show{"model":"m"}`: `{"capabilities":["tools"],"parameters":"num_ctx -1"}`, "GET /api/v0/models": `{"data":[{"id":"m","max_context_length":-1}]}`}, agent.Limits{}},
		"a web page":        {map[string]string{"GET /props": "<html>"}, agent.Limits{}},
		"nothing":           {nil, agent.Limits{}},
	} {
		port := strconv.Itoa(place(t, name, c.replies).Port)
		for _, base := range []string{"http://127.0.0.1:" + port + "/v1", "http://localhost:" + port + "/v1/", "http://127.0.0.1:" + port} {
			if got := Limits(t.Context(), base, "m"); got != c.want {
				t.Errorf("%s, %s: got %+v, want %+v", name, base, got, c.want)
			}
		}
	}
}

// A question must not wait for a server that does not answer, nor may another machine be asked.
func TestLimits_AsksLittle(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		<-r.Context().Done()
	}))
	defer server.Close()
	began := time.Now()
	if got := Limits(t.Context(), server.URL+"/v1", "m"); got != (agent.Limits{}) || asked.Load() == 0 || time.Since(began) > 5*time.Second {
		t.Errorf("got %+v after %v, %d requests", got, time.Since(began), asked.Load())
	}
	asked.Store(0)
	for _, elsewhere := range []string{
		strings.Replace(server.URL, "127.0.0.1", "127.0.0.1.nip.example", 1), strings.Replace(server.URL, "127.0.0.1", "192.0.2.1", 1),
		"http:///v1", "://", "",
	} {
		if got := Limits(t.Context(), elsewhere, "m"); got != (agent.Limits{}) || asked.Load() > 0 {
			t.Errorf("%q: got %+v, %d requests", elsewhere, got, asked.Load())
		}
	}
}
