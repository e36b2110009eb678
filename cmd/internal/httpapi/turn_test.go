package httpapi

import (
	"context"
	"encoding/json"
	"testing"

	"lens/retrieval"
)

// embeddedEngine has an embedded text of every turn.
type embeddedEngine struct{ Engine }

func (e embeddedEngine) EmbeddedTurn(ctx context.Context, prefix string) (*retrieval.Turn, error) {
	t, err := e.Turn(ctx, prefix)
	if err == nil {
		t.ContentUsed = new("User: " + t.User)
		t.Embedding = &retrieval.Embedding{Provider: "test", Model: "m", Dim: 3, Recipe: 1, ContentHash: "00ff"}
	}
	return t, err
}

func TestTurn_Embedded(t *testing.T) {
	s := start(t, func(o *Options) {
		open := o.Engine
		o.Engine = func(ctx context.Context) (Engine, error) {
			e, err := open(ctx)
			return embeddedEngine{e}, err
		}
	})
	var found retrieval.Peek
	if err := json.Unmarshal(s.ask("GET", "/retrieval/peek?query=bread&mode=keyword", "").body, &found); err != nil {
		t.Fatal(err)
	}
	id := found.Matches[0].TurnID.String()
	for parameters, want := range map[string]bool{"": false, "?embedded=false": false, "?embedded=true": true} {
		got := s.ask("GET", "/retrieval/turn/"+id+parameters, "")
		var turn retrieval.Turn
		if err := json.Unmarshal(got.body, &turn); err != nil || got.status != 200 {
			t.Fatalf("%s: %d %v", parameters, got.status, err)
		}
		if (turn.ContentUsed != nil) != want || (turn.Embedding != nil) != want {
			t.Errorf("%s: %s", parameters, got.body)
		}
		if want && (*turn.ContentUsed != "User: "+turn.User || turn.Embedding.ContentHash != "00ff") {
			t.Errorf("%s: %s", parameters, got.body)
		}
	}
	if got := s.ask("GET", "/retrieval/turn/"+id+"?embedded=maybe", ""); got.status != 400 {
		t.Errorf("embedded=maybe: %d", got.status)
	}
}
