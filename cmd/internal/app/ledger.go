package app

import (
	"context"

	"github.com/google/uuid"

	"lens/agent"
	"lens/retrieval/offline"
)

// ledger reads the conclusions of a user: the answers pinned in the conversations with the chat model. It never writes.
type ledger struct{ lens *App }

// Conclusions implements offline.ConclusionReader.
func (l ledger) Conclusions(context.Context) ([]offline.Conclusion, error) {
	sessions, err := l.lens.Chats().Load() // loaded each time: the archive may be locked by now
	if err != nil {
		return nil, err
	}
	var all []offline.Conclusion
	for _, s := range sessions {
		for _, e := range s.Exchanges {
			if e.Conclusion && e.Answer != "" {
				all = append(all, conclusionOf(e))
			}
		}
	}
	return all, nil
}

func conclusionOf(e agent.Exchange) offline.Conclusion {
	c := offline.Conclusion{Text: e.Answer, At: e.Asked}
	for _, cited := range e.Citations {
		id, err := uuid.Parse(cited.TurnID)
		if err != nil {
			continue // the file was edited by hand
		}
		c.Turns, c.Numbers = append(c.Turns, id), append(c.Numbers, cited.N)
	}
	return c
}
