package main

import (
	"context"
	"iter"

	"github.com/google/uuid"

	"lens/agent"
	"lens/cmd/internal/app"
	tui "lens/tui/app"
)

// chat lets the explorer use the chat model.
func (e *explorer) chat() tui.Chat {
	c := tui.Chat{Sessions: e.app.Sessions}
	model, err := e.app.Chat.Open()
	if err != nil {
		c.Err, c.Inform = err, e.app.Servers
		return c
	}
	c.Model = model.Name()
	c.Inform = func(ctx context.Context) []string {
		if limits := e.app.Chat.Limits(ctx).Explain(c.Model); limits != "" {
			return []string{limits}
		}
		return nil
	}
	c.Host, c.Local = e.app.Chat.Host()
	c.Investigator = investigator{e.app}
	return c
}

// investigator runs the agent on an application's archive, with its chat model.
type investigator struct{ app *app.App }

func (i investigator) Investigate(ctx context.Context, messages []agent.Message) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		req, err := i.app.Investigator.Request(ctx, uuid.Nil)
		if err != nil {
			yield(nil, err)
			return
		}
		req.Messages = messages
		agent.Run(ctx, req)(yield)
	}
}
