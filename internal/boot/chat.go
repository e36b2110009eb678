package boot

import (
	"cmp"
	"context"

	"github.com/google/uuid"

	"lens/agent"
	"lens/agent/openai"
	"lens/agent/tools"
	"lens/store"
)

// Investigation returns a request of the configured chat model about the archive, or about one conversation of it (uuid.Nil: all). Only
// its messages are missing. The ids of the turns that are read go to Log's file, at whatever level. Errors: those of ChatModel and of Engine.
func (l *Lens) Investigation(ctx context.Context, conversation uuid.UUID) (agent.Request, error) {
	model, err := l.ChatModel()
	if err != nil {
		return agent.Request{}, err
	}
	engine, err := l.Engine(ctx)
	if err != nil {
		return agent.Request{}, err
	}
	return agent.Request{Model: model, Tools: tools.New(engine, tools.Options{Conversation: conversation}), Log: l.investigations()}, nil
}

// ChatModel returns the configured chat model. Errors: unavailable when there is none, invalid when a server is named and no model of it,
// blocked when it is beyond loopback and Lens is offline.
func (l *Lens) ChatModel() (agent.Model, error) {
	c := l.cfg.Chat
	base := orDefault(c.BaseURL)
	switch {
	case c.Provider == "":
		return nil, &store.Error{
			Code: store.CodeUnavailable, Op: "open chat model", Message: "no chat model is configured",
			Hint: "set OPENAI_API_KEY, or OPENAI_BASE_URL and LENS_CHAT_MODEL for your own server;" +
				" lens peek works without one",
		}
	case c.Model == "" && base != openAI:
		return nil, &store.Error{
			Code: store.CodeInvalid, Op: "open chat model", Message: "no chat model is set for " + hostname(base),
			Hint: "set LENS_CHAT_MODEL",
		}
	}
	if err := l.mayReach(hostname(base)); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.chat = cmp.Or(l.chat, newClient(l.cfg.Offline))
	return openai.New(l.chat, openai.Options{BaseURL: base, Key: c.Key, Model: c.Model}), nil
}
