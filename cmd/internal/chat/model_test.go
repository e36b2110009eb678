package chat

import (
	"testing"
	"time"

	"lens/agent"
	"lens/cmd/internal/config"
	"lens/cmd/internal/network"
)

func TestModel_Budget(t *testing.T) {
	if got := NewModel(config.Chat{}, network.Policy{}).budget(); got != (agent.Budget{}) {
		t.Errorf("got %+v, want the defaults of agent", got)
	}
	cfg := config.Chat{Time: time.Hour, Rounds: 3, Turns: 4, Tokens: 5000, Answer: 600}
	want := agent.Budget{Time: time.Hour, Rounds: 3, Turns: 4, Tokens: 5000, Answer: 600}
	if got := NewModel(cfg, network.Policy{}).budget(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
