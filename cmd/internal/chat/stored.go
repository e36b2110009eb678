package chat

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"lens/agent"
	"lens/internal/errs"
	"lens/store"
)

// storedSession is the content of a row: a session whose running exchanges name the processes that answer them.
type storedSession struct {
	agent.Session
	Exchanges []storedExchange `json:"exchanges"`
}

type storedExchange struct {
	agent.Exchange
	Process string `json:"process,omitempty"` // that answers, see datadir.Folder.Presence; "": it is complete
}

// decode returns the session of a row. An exchange whose process has ended without an answer is broken.
func (s *Sessions) decode(row store.Session) (agent.Session, error) {
	kept, err := parseStored(row.Content)
	if err != nil {
		return agent.Session{}, &errs.Error{
			Code: errs.Internal, Op: "read chat", Message: "a saved chat cannot be read", Err: err,
		}
	}
	one := kept.session()
	for i, e := range kept.Exchanges {
		if one.Exchanges[i].Answering = e.Process != ""; e.Process != "" && !s.folder.IsPresent(e.Process) {
			one.Exchanges[i].Answering, one.Exchanges[i].Broken = false, agent.BrokenByExit
		}
	}
	return one, nil
}

// session returns the session without its processes.
func (kept storedSession) session() agent.Session {
	one := kept.Session
	one.Exchanges = make([]agent.Exchange, len(kept.Exchanges))
	for i := range kept.Exchanges {
		one.Exchanges[i] = kept.Exchanges[i].Exchange
	}
	return one
}

// encode returns the row of a session that replaces was. An exchange that is being answered keeps its process, which is
// this one for a new exchange. Exchanges are identified by the time at which they were asked.
func (s *Sessions) encode(one agent.Session, was store.Session) (store.Session, error) {
	before, _ := parseStored(was.Content) // a session that cannot be read is replaced
	kept := storedSession{Session: one, Exchanges: make([]storedExchange, len(one.Exchanges))}
	row := store.Session{
		Name: one.Name, Created: one.Created, Updated: one.Updated, Pinned: one.Pinned, Archived: one.Archived,
		Exchanges: len(one.Exchanges), Cited: citedBy(one),
	}
	var err error
	for i, e := range one.Exchanges {
		if kept.Exchanges[i].Exchange = e; e.Answering {
			if kept.Exchanges[i].Process, err = s.processOf(e, before); err != nil {
				return row, err
			}
		}
		if e.Conclusion {
			row.Conclusions++
		}
	}
	if row.ID, err = uuid.Parse(one.ID); err != nil {
		return row, err
	}
	row.Content, err = json.Marshal(kept)
	return row, err
}

func (s *Sessions) processOf(e agent.Exchange, before storedSession) (string, error) {
	for _, was := range before.Exchanges {
		if was.Asked.Equal(e.Asked) && was.Process != "" {
			return was.Process, nil
		}
	}
	return s.folder.Presence()
}

func parseStored(content []byte) (kept storedSession, err error) {
	if len(content) > 0 {
		err = json.Unmarshal(content, &kept)
	}
	return kept, err
}

// citedBy returns the turns that a session cites, names or has read, each once.
func citedBy(one agent.Session) (turns []uuid.UUID) {
	for _, e := range one.Exchanges {
		for _, id := range cites(e) {
			if !slices.Contains(turns, id) {
				turns = append(turns, id)
			}
		}
	}
	return turns
}

// cites returns the turns that an exchange cites, names or has read, some of them twice.
func cites(e agent.Exchange) (turns []uuid.UUID) {
	for _, cited := range e.Turns() {
		if id, err := uuid.Parse(cited); err == nil && id != uuid.Nil {
			turns = append(turns, id)
		}
	}
	return turns
}

// precision is that of the times of a session, so that a page can begin after one.
const precision = time.Microsecond
