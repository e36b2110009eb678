package tools

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/agent"
	"lens/retrieval"
)

//go:embed turn.md
var turnText string

//go:embed turn.schema.json
var turnJSON []byte

var turnSchema = schemaOf(turnJSON)

// turn reads one turn.
type turn struct {
	engine       Engine
	conversation uuid.UUID // only this conversation; uuid.Nil: any
}

// Spec implements agent.Tool.
func (*turn) Spec() agent.Spec {
	return agent.Spec{Name: agent.ToolTurn, Description: strings.TrimSpace(turnText), Schema: turnJSON}
}

// Call implements agent.Tool. Outcome.Detail is a *retrieval.Turn.
func (t *turn) Call(ctx context.Context, arguments json.RawMessage) (agent.Outcome, error) {
	var a struct {
		ID string `json:"turn_id"`
	}
	if err := turnSchema().read(agent.ToolTurn, arguments, &a); err != nil {
		return agent.Outcome{}, err
	}
	found, err := t.engine.Turn(ctx, a.ID)
	if err != nil {
		return agent.Outcome{}, err
	}
	if t.conversation != uuid.Nil && found.Conversation != t.conversation {
		return agent.Outcome{}, invalid(agent.ToolTurn, "only turns of conversation %s can be read", t.conversation)
	}
	day := "undated"
	if found.Time != nil {
		day = found.Time.UTC().Format(time.DateOnly)
	}
	answer := ""
	if found.AnswerID != nil {
		answer = found.AnswerID.String()
	}
	return agent.Outcome{
		Gist: day + " " + found.Title, Detail: found,
		Turn: &agent.Turn{
			ID: found.TurnID.String(), Conversation: found.Conversation.String(), Title: found.Title, Time: found.Time,
			User: found.User, Assistant: found.Assistant, Summary: found.Summary, Answer: answer, Chunk: chunkID(found),
		},
	}, nil
}

// chunkID returns the id of the chunk that a turn is, as retrieve returns it; "" for an exchange of a chat.
func chunkID(t *retrieval.Turn) string {
	if t.Chunk == nil {
		return ""
	}
	return cmp.Or(t.Chunk.ID, t.TurnID.String())
}
