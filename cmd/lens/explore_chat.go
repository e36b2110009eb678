package main

import (
	"context"
	"iter"

	"github.com/google/uuid"

	"lens/agent"
	"lens/cmd/internal/app"
	"lens/cmd/internal/chat"
	"lens/internal/errs"
	tui "lens/tui/app"
)

// chat lets the explorer use the chat model.
func (e *explorer) chat() tui.Chat {
	c := tui.Chat{Sessions: savedChats{e.app.Sessions}}
	model, err := e.app.Chat.Open()
	if err != nil {
		c.Err = err
		return c
	}
	c.Model = model.Name()
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

// savedChats lets the explorer use the saved chats.
type savedChats struct{ *chat.Sessions }

func (s savedChats) Load() (all []agent.Session, err error) {
	ctx := context.Background()
	for _, archived := range []bool{false, true} {
		page := agent.SessionPage{Archived: archived, Limit: 200}
		for {
			found, err := s.List(ctx, page)
			if err != nil {
				return nil, err
			}
			for _, one := range found {
				whole, err := s.Session(ctx, one.ID)
				if errs.CodeOf(err) == errs.NotFound {
					continue
				}
				if err != nil {
					return nil, err
				}
				all = append(all, whole)
			}
			if len(found) < page.Limit {
				break
			}
			page.After = &found[len(found)-1]
		}
	}
	return all, nil
}

func (s savedChats) Save(one agent.Session) error { return s.Sessions.Save(context.Background(), one) }
