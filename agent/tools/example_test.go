package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"lens/agent/tools"
	"lens/retrieval"
	"lens/retrieval/query"
)

// diary is an engine with a single turn.
type diary struct{ turn *retrieval.Turn }

func (d diary) Turn(context.Context, string) (*retrieval.Turn, error) { return d.turn, nil }

func (d diary) Peek(context.Context, query.Query) (*retrieval.Peek, error) {
	return &retrieval.Peek{}, nil
}

func ExampleNew() {
	may := time.Date(2024, time.May, 3, 8, 0, 0, 0, time.UTC)
	archive := diary{&retrieval.Turn{TurnID: uuid.UUID{15: 1}, Title: "Bread", Time: &may, User: "Which flour?", Assistant: "Rye."}}
	for _, tool := range tools.New(archive, tools.Options{}) {
		fmt.Println(tool.Spec().Name)
		if tool.Spec().Name == "turn" {
			outcome, err := tool.Call(context.Background(), json.RawMessage(`{"turn_id": "00000000-0000-0000-0000-000000000001"}`))
			if err != nil {
				panic(err)
			}
			fmt.Println(outcome.Turn.Title, outcome.Turn.Assistant)
		}
	}
	// Output:
	// peek
	// turn
	// Bread Rye.
}
