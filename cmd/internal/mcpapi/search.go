package mcpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"lens/agent"
	"lens/retrieval/offline"
)

// Offline is the offline retriever.
type Offline interface {
	Search(ctx context.Context, query string, opts offline.SearchOptions) (*offline.Found, error)
}

// search is the tool that finds files and turns with the offline retriever.
type search struct {
	retriever Offline
	arguments arguments[searchArguments]
}

type searchArguments struct {
	Query    string        `json:"query" jsonschema:"What to look for, in words that the files may use."`
	K        int           `json:"k,omitempty" jsonschema:"Hits to rerank, 1 to 100 (default 8); returns the best four."`
	Security offline.Level `json:"security,omitempty" jsonschema:"standard, strict or paranoid. Default standard."`
}

// searchOutput is the result, with the decision that allowed the search.
type searchOutput struct {
	Note string `json:"note"`
	offline.Decision
	Hits []offline.Hit `json:"hits"`
}

func newSearch(retriever Offline) *search {
	hint := "use query, k (a whole number) and security (standard, strict or paranoid)"
	return &search{retriever, argumentsOf[searchArguments]("search", hint)}
}

// Spec implements agent.Tool.
func (t *search) Spec() agent.Spec {
	return agent.Spec{
		Name: "search", Schema: t.arguments.schema,
		Description: "Finds the files and chats most relevant to a query, with the best matching sentence of each. " +
			"Nothing can leave the machine during the search, and the search is recorded in the audit log. " +
			"Use it for documents; use peek for questions about time. Pass a hit's chunk_id to turn to read it in full.",
	}
}

// Call implements agent.Tool. Outcome.Detail is a searchOutput.
func (t *search) Call(ctx context.Context, text json.RawMessage) (agent.Outcome, error) {
	a, err := t.arguments.read(text)
	if err != nil {
		return agent.Outcome{}, err
	}
	found, err := t.retriever.Search(ctx, a.Query, offline.SearchOptions{K: a.K, Level: a.Security})
	if err != nil {
		return agent.Outcome{}, err
	}
	out := searchOutput{dataNotice, found.Decision, offline.Rerank(found.Hits, time.Now(), found.Level)}
	for i := range out.Hits {
		out.Hits[i].Parts = nil // only for tuning
	}
	return agent.Outcome{Text: hitsText(out.Hits), Detail: out}, nil
}

// hitsText formats hits for a model.
func hitsText(hits []offline.Hit) string {
	if len(hits) == 0 {
		return "No matches."
	}
	var b strings.Builder
	for i, h := range hits {
		c := h.Citation()
		fmt.Fprintf(&b, "%d. chunk %s, %s\n", i+1, h.ChunkID, strings.Join(strings.Fields(c.String()), " "))
		if h.Snippet != "" {
			fmt.Fprintf(&b, "   %s\n", strings.Join(strings.Fields(h.Snippet), " "))
		}
	}
	return strings.TrimSpace(b.String())
}
