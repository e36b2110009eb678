package main

import (
	"context"
	"iter"

	"github.com/google/uuid"

	"lens/agent"
	"lens/tui"
)

// chat lets the explorer use the chat model.
func (e *explorer) chat() tui.Chat {
	chats := e.app.Sessions
	c := tui.Chat{Load: chats.Load, Keep: chats.Save}
	model, err := e.app.Chat.Open()
	if err != nil {
		c.Err = err
		return c
	}
	c.Model = model.Name()
	c.Host, c.Local = e.app.Chat.Host()
	c.Investigate = func(ctx context.Context, messages []agent.Message) iter.Seq2[agent.Event, error] {
		return func(yield func(agent.Event, error) bool) {
			req, err := e.app.Investigator.Request(ctx, uuid.Nil)
			if err != nil {
				yield(nil, err)
				return
			}
			req.Messages = messages
			agent.Run(ctx, req)(yield)
		}
	}
	return c
}
