package app

import (
	"cmp"
	"context"

	"github.com/google/uuid"

	"lens/agent"
	"lens/agent/openai"
	"lens/agent/tools"
	"lens/cmd/internal/config"
	"lens/cmd/internal/network"
	"lens/internal/errs"
)

// Investigation returns a request to the configured chat model about the archive, or about one conversation (uuid.Nil:
// all). The caller adds the messages. The IDs of the turns that are read are always logged to Log's file, whatever its
// level. Errors: those of ChatModel and of Engine.
func (l *App) Investigation(ctx context.Context, conversation uuid.UUID) (agent.Request, error) {
	model, err := l.ChatModel()
	if err != nil {
		return agent.Request{}, err
	}
	engine, err := l.Engine(ctx)
	if err != nil {
		return agent.Request{}, err
	}
	toolbox := tools.New(engine, tools.Options{Conversation: conversation})
	return agent.Request{Model: model, Tools: toolbox, Log: l.Logs.Investigations()}, nil
}

// ChatModel returns the configured chat model. Errors: unavailable if there is none, invalid if a server is set without
// a model, blocked if Lens is offline and the server is not on loopback.
func (l *App) ChatModel() (agent.Model, error) {
	c := l.cfg.Chat
	base := c.URL()
	switch {
	case c.Provider == "":
		return nil, &errs.Error{
			Code: errs.Unavailable, Op: "open chat model", Message: "no chat model is configured",
			Hint: "set OPENAI_API_KEY, or OPENAI_BASE_URL and LENS_CHAT_MODEL for your own server;" +
				" lens peek works without one",
		}
	case c.Model == "" && base != config.OpenAIURL:
		return nil, &errs.Error{
			Code: errs.Invalid, Op: "open chat model", Message: "no chat model is set for " + network.Hostname(base),
			Hint: "set LENS_CHAT_MODEL",
		}
	}
	if err := l.network.MayReach(network.Hostname(base)); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.chat = cmp.Or(l.chat, l.network.Client())
	return openai.New(l.chat, openai.Options{BaseURL: base, Key: c.Key, Model: c.Model}), nil
}
