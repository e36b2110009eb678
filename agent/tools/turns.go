package tools

import (
	"context"
	"encoding/json"
	"fmt"

	"lens/agent"
	"lens/retrieval"
)

// TurnsReader is the part of retrieval.Engine that reads several turns.
type TurnsReader interface {
	Turns(ctx context.Context, prefixes []string) (*retrieval.Turns, error)
}

// turnsJSON is the schema of the arguments of turns.
var turnsJSON = fmt.Appendf(nil, `{
  "type": "object",
  "properties": {
    "turn_ids": {
      "type": "array", "minItems": 1, "maxItems": %d, "items": {"type": "string", "minLength": 1},
      "description": "IDs that peek returned, or unique prefixes of at least 8 characters."
    }
  },
  "required": ["turn_ids"],
  "additionalProperties": false
}`, retrieval.MaxTurns)

var turnsSchema = schemaOf(turnsJSON)

// turns reads several turns.
type turns struct{ engine TurnsReader }

// NewTurns returns the tool turns, which an investigation does without: it reads the turns of a round in parallel.
func NewTurns(engine TurnsReader) agent.Tool { return &turns{engine} }

// Spec implements agent.Tool.
func (*turns) Spec() agent.Spec {
	return agent.Spec{
		Name: "turns", Schema: turnsJSON,
		Description: "Reads several turns at once. The more there are, the more of each long text is left out: " +
			"read a turn alone to have all of it.",
	}
}

// Call implements agent.Tool. Outcome.Detail is a *retrieval.Turns.
func (t *turns) Call(ctx context.Context, arguments json.RawMessage) (agent.Outcome, error) {
	var a struct {
		IDs []string `json:"turn_ids"`
	}
	if err := turnsSchema().read("turns", arguments, &a); err != nil {
		return agent.Outcome{}, err
	}
	found, err := t.engine.Turns(ctx, a.IDs)
	if err != nil {
		return agent.Outcome{}, err
	}
	return agent.Outcome{Detail: found}, nil
}
