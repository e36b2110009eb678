package servers

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Limits of what a server may tell.
const (
	maxReply  = 1 << 20
	maxModels = 20
	maxName   = 200
)

// asker asks one server.
type asker struct {
	client *http.Client
	root   string // without /v1
}

// server returns the server at a place, nil if nothing answers there that lists models.
func (a *asker) server(ctx context.Context, p Place) *Server {
	var list struct {
		Data *[]struct{ ID string }
	}
	if !a.get(ctx, http.MethodGet, "/v1/models", nil, &list) || list.Data == nil {
		return nil
	}
	s, types := &Server{Program: p.Program, BaseURL: a.root + "/v1"}, a.types(ctx)
	for _, m := range *list.Data {
		if m.ID == "" || len(m.ID) > maxName {
			continue
		}
		if len(s.Embed)+len(s.Chat) == maxModels {
			break
		}
		if a.embeds(ctx, m.ID, types[m.ID]) {
			s.Embed = append(s.Embed, m.ID)
		} else {
			s.Chat = append(s.Chat, m.ID)
		}
	}
	return s
}

// types returns what LM Studio says of its models' types; no other server does.
func (a *asker) types(ctx context.Context) map[string]string {
	var list struct {
		Data []struct{ ID, Type string }
	}
	types := make(map[string]string)
	if a.get(ctx, http.MethodGet, "/api/v0/models", nil, &list) {
		for _, m := range list.Data {
			types[m.ID] = m.Type
		}
	}
	return types
}

// embeds reports whether a model makes vectors: by its type, by what Ollama says that it can, or else by its name.
func (a *asker) embeds(ctx context.Context, model, typ string) bool {
	if typ != "" {
		return typ == "embeddings"
	}
	var shown shownModel
	if a.show(ctx, model, &shown) && len(shown.Capabilities) > 0 {
		return slices.Contains(shown.Capabilities, "embedding")
	}
	name := strings.ToLower(model)
	return slices.ContainsFunc(embedders, func(part string) bool { return strings.Contains(name, part) })
}

// shownModel is what Ollama says of a model.
type shownModel struct {
	Capabilities []string
	Parameters   string         // of its Modelfile, one a line
	Info         map[string]any `json:"model_info"`
}

func (a *asker) show(ctx context.Context, model string, shown *shownModel) bool {
	return a.get(ctx, http.MethodPost, "/api/show", map[string]string{"model": model}, shown)
}

// trained returns the context that a model was trained with, 0 if it is not known.
func (m *shownModel) trained() int {
	family, _ := m.Info["general.architecture"].(string)
	n, _ := m.Info[family+".context_length"].(float64)
	return int(min(max(0, n), math.MaxInt32))
}

// set returns the context that the model's Modelfile sets, 0 for none.
func (m *shownModel) set() int {
	for line := range strings.Lines(m.Parameters) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "num_ctx" {
			n, _ := strconv.Atoi(f[1])
			return max(0, n)
		}
	}
	return 0
}

// embedders are parts of the names of embedding models.
var embedders = []string{"embed", "minilm", "bge-", "e5-", "gte-"}

// get reads the reply to a request into reply, and reports whether there is one.
func (a *asker) get(ctx context.Context, method, path string, question, reply any) bool {
	body, err := json.Marshal(question)
	if err != nil {
		return false
	}
	r, err := http.NewRequestWithContext(ctx, method, a.root+path, bytes.NewReader(body))
	if err != nil {
		return false
	}
	if question == nil {
		r.Body, r.ContentLength = http.NoBody, 0
	}
	response, err := a.client.Do(r)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxReply))
	return err == nil && response.StatusCode == http.StatusOK && json.Unmarshal(text, reply) == nil
}
