package servers

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"lens/agent"
	"lens/cmd/internal/network"
)

// haste is how long a question may wait for what a server says of its model.
const haste = 300 * time.Millisecond

// Limits returns what a server of this machine says of one of its chat models: nothing if it is elsewhere, does not
// answer at once, or is a program that does not say.
func Limits(ctx context.Context, baseURL, model string) agent.Limits {
	root, err := url.Parse(baseURL)
	if err != nil || !network.IsLoopback(root.Hostname()) || root.Host == "" {
		return agent.Limits{}
	}
	ctx, cancel := context.WithTimeout(ctx, haste)
	defer cancel()
	client, stop := newClient()
	defer stop()
	a := &asker{client, strings.TrimSuffix(strings.TrimRight(baseURL, "/"), "/v1")}
	for _, limits := range []func(context.Context, string) (agent.Limits, bool){
		a.llamaCPP, a.lmStudio, a.ollama, // others imitate Ollama, and leave out what their models can do
	} {
		if l, ok := limits(ctx, model); ok {
			return l
		}
	}
	return agent.Limits{}
}

// llamaCPP reads what llama.cpp says of the model that it serves. It forces calls of tools on any model, by a grammar.
func (a *asker) llamaCPP(ctx context.Context, _ string) (agent.Limits, bool) {
	var props struct {
		Settings struct {
			Context int `json:"n_ctx"`
		} `json:"default_generation_settings"`
		Template struct {
			Tools *bool `json:"supports_tools"`
		} `json:"chat_template_caps"`
		TemplateForTools string `json:"chat_template_tool_use"`
	}
	if !a.get(ctx, http.MethodGet, "/props", nil, &props) || props.Settings.Context <= 0 {
		return agent.Limits{}, false
	}
	l := agent.Limits{Context: props.Settings.Context}
	if tools := props.Template.Tools; tools != nil && !*tools && props.TemplateForTools == "" {
		l.Tools = agent.ToolsUntrained
	}
	return l, true
}

// lmStudio reads what LM Studio says of a model. It describes tools in the prompt to models that know none.
func (a *asker) lmStudio(ctx context.Context, model string) (agent.Limits, bool) {
	var list struct {
		Data []struct {
			ID           string
			Most         int       `json:"max_context_length"`
			Loaded       int       `json:"loaded_context_length"`
			Capabilities *[]string // left out by older versions
		}
	}
	if !a.get(ctx, http.MethodGet, "/api/v0/models", nil, &list) {
		return agent.Limits{}, false
	}
	for _, m := range list.Data {
		if m.ID != model {
			continue
		}
		l := agent.Limits{Context: max(0, cmp.Or(m.Loaded, m.Most))}
		if m.Capabilities != nil && !slices.Contains(*m.Capabilities, "tool_use") {
			l.Tools = agent.ToolsUntrained
		}
		return l, true
	}
	return agent.Limits{}, false
}

// ollamaContext is the context that Ollama gives a model whose Modelfile sets none, on machines without a large
// graphics card, whatever it was trained with (Ollama's FAQ, "context window size"). Of what is longer it drops the
// beginning, and says nothing.
const ollamaContext = 4096

// ollama reads what Ollama says of a model. The context is the one that the model is loaded with, if it is; else that
// which its Modelfile sets or, without, ollamaContext: the next question knows what it became.
func (a *asker) ollama(ctx context.Context, model string) (agent.Limits, bool) {
	var shown shownModel
	if !a.show(ctx, model, &shown) || len(shown.Capabilities) == 0 {
		return agent.Limits{}, false
	}
	l := agent.Limits{Context: cmp.Or(a.loadedContext(ctx, model), shown.set(), min(shown.trained(), ollamaContext))}
	if !slices.Contains(shown.Capabilities, "tools") {
		l.Tools = agent.ToolsRefused
	}
	return l, true
}

// loadedContext returns the context that Ollama has loaded a model with, 0 if it has not, or does not say.
func (a *asker) loadedContext(ctx context.Context, model string) int {
	var running struct {
		Models []struct {
			Name    string
			Context int `json:"context_length"`
		}
	}
	if !a.get(ctx, http.MethodGet, "/api/ps", nil, &running) {
		return 0
	}
	for _, m := range running.Models {
		if m.Name == model || m.Name == model+":latest" {
			return max(0, m.Context)
		}
	}
	return 0
}
