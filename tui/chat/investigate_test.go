package chat

import (
	"slices"
	"testing"

	"lens/agent"
	"lens/retrieval"
	"lens/tui/theme"
	"lens/tui/ui/uitest"
)

func TestInvestigation_FollowsWhatWorked(t *testing.T) {
	turn := &retrieval.Turn{Title: "Garden"}
	i := investigation{ui: uitest.Context(theme.Mono), by: &fake{}, before: func() {}}
	i.begin(&Exchange{Question: "?"}, nil)
	i.hear([]agent.Event{
		agent.ToolCall{ID: "1", Tool: agent.ToolTurn},
		agent.ToolCall{ID: "2", Tool: agent.ToolTurn},
		agent.ToolResult{ID: "1", Tool: agent.ToolTurn, Detail: turn, Error: &agent.ToolError{Code: "invalid"}},
		agent.ToolResult{ID: "2", Tool: agent.ToolTurn, Detail: turn},
		agent.ToolResult{ID: "never asked", Tool: agent.ToolTurn, Detail: turn},
	})
	if posted := i.ui.Posted(); !slices.Equal(posted, []any{Follow{Turn: turn}}) {
		t.Errorf("posted is %v", posted)
	}
}

func TestInvestigation_StopHearsWhatWasSaid(t *testing.T) {
	f := &fake{events: []agent.Event{agent.Text{Text: "Half an ans"}}}
	i := investigation{ui: uitest.Context(theme.Mono), by: f, before: func() {}}
	e := &Exchange{Question: "?"}
	i.begin(e, nil)
	stream := i.stream
	i.runCmd(nil)()
	if i.stop() != e || i.stop() != nil || i.isRunning() || e.Answer() != "Half an ans" || e.State != Stopped {
		t.Errorf("the answer is %q, %v", e.Answer(), e.State)
	}
	if next, ended := i.handle(heardMsg{from: stream}); next != nil || ended != nil {
		t.Error("a stopped answer goes on")
	}
}
