// Package chat opens the configured chat model, keeps the conversations with it, and lets it summarize turns.
package chat

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/google/uuid"

	"lens/agent"
	"lens/agent/openai"
	"lens/agent/tools"
	"lens/cmd/internal/config"
	"lens/cmd/internal/network"
	"lens/internal/errs"
	"lens/retrieval"
)

// Model is the configured chat model. It is safe for concurrent use.
type Model struct {
	// AskLimits asks a server of this machine what its model can do, and gives up soon; nil: it is not asked. Set it
	// before the first use.
	AskLimits func(ctx context.Context, baseURL, model string) agent.Limits

	cfg    config.Chat
	policy network.Policy
	client *http.Client
	ratio  *agent.TokenRatio // nil: its tokens are counted exactly
}

// NewModel returns the chat model of a configuration. It sends no request yet.
func NewModel(cfg config.Chat, policy network.Policy) *Model {
	m := &Model{cfg: cfg, policy: policy, client: policy.Client()}
	if !openai.HasVocabulary(cfg.Model) {
		m.ratio = new(agent.TokenRatio)
	}
	return m
}

// Close closes idle connections to the server.
func (m *Model) Close() { m.client.CloseIdleConnections() }

// Open returns the model. Errors: unavailable if there is none, invalid if a server is set without a model, blocked if
// Lens is offline and the server is not on loopback.
func (m *Model) Open() (agent.Model, error) {
	base := m.cfg.URL()
	switch {
	case m.cfg.Provider == "":
		return nil, &errs.Error{
			Code: errs.Unavailable, Op: "open chat model", Message: "no chat model is configured",
			Hint: m.howToSet() + "; lens peek works without one",
		}
	case m.cfg.Model == "" && base != config.OpenAIURL:
		return nil, &errs.Error{
			Code: errs.Invalid, Op: "open chat model", Message: "no chat model is set for " + network.Hostname(base),
			Hint: "set LENS_CHAT_MODEL",
		}
	}
	if err := m.policy.MayReach(network.Hostname(base)); err != nil {
		return nil, err
	}
	return openai.New(m.client, openai.Options{
		BaseURL: base, Key: m.cfg.Key, Model: m.cfg.Model, FirstToken: m.cfg.FirstToken, IdleTimeout: m.cfg.NextToken,
	}), nil
}

// howToSet says how to configure a model that may be reached.
func (m *Model) howToSet() string {
	if m.policy.MayReach(network.Hostname(config.OpenAIURL)) != nil {
		return "set OPENAI_BASE_URL and LENS_CHAT_MODEL for a server on this machine"
	}
	return "set OPENAI_API_KEY, or for your own server OPENAI_BASE_URL and LENS_CHAT_MODEL"
}

// budget returns the limits of an investigation.
func (m *Model) budget() agent.Budget {
	c := m.cfg
	return agent.Budget{Rounds: c.Rounds, Turns: c.Turns, Tokens: c.Tokens, Answer: c.Answer, Time: c.Time}
}

// Limits returns what is known of the model: what its server says, if it is on this machine.
func (m *Model) Limits(ctx context.Context) agent.Limits {
	if _, local := m.Host(); !local || m.AskLimits == nil || m.cfg.Model == "" {
		return agent.Limits{}
	}
	return m.AskLimits(ctx, m.cfg.URL(), m.cfg.Model)
}

// OpenLocal returns the model if it is on this machine, nil otherwise.
func (m *Model) OpenLocal() agent.Model {
	if _, local := m.Host(); !local || m.cfg.BaseURL == "" {
		return nil
	}
	model, err := m.Open()
	if err != nil {
		return nil
	}
	return model
}

// Host returns the host that receives texts, and whether that is this machine.
func (m *Model) Host() (host string, local bool) {
	host = network.Hostname(m.cfg.URL())
	return host, network.IsLoopback(host)
}

// Investigator lets the chat model investigate an archive.
type Investigator struct {
	Model  *Model
	Engine func(ctx context.Context) (*retrieval.Engine, error)
	Log    *slog.Logger // gets the IDs of the turns that are read
}

// Request returns a request about the archive, or about one conversation (uuid.Nil: all). The caller adds the messages.
// Errors: those of Model.Open and of Engine; not_found for a conversation that is not in the archive.
func (i Investigator) Request(ctx context.Context, conversation uuid.UUID) (agent.Request, error) {
	if conversation != uuid.Nil { // an unknown one is an error of the caller's, whether or not there is a model
		engine, err := i.Engine(ctx)
		if err == nil {
			err = engine.HasConversation(ctx, conversation)
		}
		if err != nil {
			return agent.Request{}, err
		}
	}
	model, err := i.Model.Open()
	if err != nil {
		return agent.Request{}, err
	}
	limits := make(chan agent.Limits, 1)
	go func() { limits <- i.Model.Limits(ctx) }() // while the archive is opened
	engine, err := i.Engine(ctx)
	if err != nil {
		return agent.Request{}, err
	}
	toolbox := tools.New(engine, tools.Options{Conversation: conversation})
	if conversation == uuid.Nil {
		toolbox = append(toolbox, tools.NewTopics(engine), tools.NewAbout(engine))
	}
	return agent.Request{
		Model: model, Tools: toolbox, Limits: <-limits, Budget: i.Model.budget(), Ratio: i.Model.ratio, Log: i.Log,
	}, nil
}
