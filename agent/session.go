package agent

import (
	"slices"
	"time"
)

// Session is a saved chat. It contains only the final text of each answer. It quotes the archive, so it must
// be stored as privately as the archive itself.
type Session struct {
	ID        string     `json:"id"` // a UUID
	Name      string     `json:"name"`
	Created   time.Time  `json:"created_at"`
	Updated   time.Time  `json:"updated_at"`
	Pinned    bool       `json:"pinned,omitempty"`
	Archived  bool       `json:"archived,omitempty"`
	Exchanges []Exchange `json:"exchanges"`
}

// Exchange is a question and its answer. Asked identifies it in its session.
type Exchange struct {
	Question   string     `json:"question"`
	Answer     string     `json:"answer"` // filtered; empty: none
	Broken     string     `json:"broken,omitempty"`
	Reason     string     `json:"reason,omitempty"`        // of BrokenByError, as shown to the user; may be empty
	Truncated  bool       `json:"truncated,omitempty"`     // the answer lacks its end
	Finish     Finish     `json:"finish_reason,omitempty"` // of the model's last message; empty for a broken answer
	Asked      time.Time  `json:"asked_at"`
	Model      string     `json:"model,omitempty"`
	Citations  []Citation `json:"citations"`
	Conclusion bool       `json:"conclusion,omitempty"`    // the user pinned the answer
	Answering  bool       `json:"answering,omitempty"`     // a running process will add the answer
	Report     bool       `json:"report,omitempty"`        // Citations are sources: see Partial.Report, Done.Report
	Findings   *Findings  `json:"findings,omitempty"`      // of a broken answer
	Read       []string   `json:"read_turn_ids,omitempty"` // of a whole answer: it may repeat turns that it does not cite
}

// Hear takes the answer from Done or Partial; other events change nothing.
func (e *Exchange) Hear(event Event) {
	switch event := event.(type) {
	case Partial:
		e.Answer, e.Citations, e.Model, e.Truncated = event.Text, event.Citations, event.Model, event.Truncated
		e.Report, e.Findings = event.Report, &event.Findings
	case Done:
		e.Answer, e.Citations, e.Model, e.Truncated = event.Answer, event.Citations, event.Model, event.Truncated
		e.Finish, e.Read, e.Report = event.Finish, event.Read, event.Report
		if event.Report {
			e.Citations = event.Sources
		}
	}
}

// Turns returns the ids of the turns that the exchange cites, names or has read, some of them twice.
func (e *Exchange) Turns() []string {
	ids := slices.Clone(e.Read)
	for _, c := range e.Citations {
		ids = append(ids, c.TurnID)
	}
	if e.Findings != nil {
		ids = append(ids, e.Findings.Best...)
		for _, c := range e.Findings.Turns {
			ids = append(ids, c.TurnID)
		}
	}
	return ids
}

// Values of Exchange.Broken for an incomplete answer.
const (
	BrokenByPerson = "stopped"
	BrokenByError  = "failed"
	BrokenByExit   = "interrupted" // the program ended first: it was stopped or killed, or the machine went down
)

// SessionSummary is a session in a list.
type SessionSummary struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Created     time.Time `json:"created_at"`
	Updated     time.Time `json:"updated_at"`
	Pinned      bool      `json:"pinned"`
	Archived    bool      `json:"archived"`
	Exchanges   int       `json:"exchanges"`
	Conclusions int       `json:"conclusions"` // answers that the user pinned
}

// SessionPage selects a page of the sessions, by descending time of their last change. Pages stay in order while
// sessions change: one that changes between two pages moves to the beginning.
type SessionPage struct {
	Archived bool            // archived sessions, or the others
	Pinned   *bool           // nil: pinned or not
	After    *SessionSummary // the last one of the page before, of which ID and Updated count; nil: the first page
	Limit    int
}

// Asked returns the exchange that was asked at a time, nil if there is none. It is valid until exchanges are added or
// removed.
func (s *Session) Asked(at time.Time) *Exchange {
	i := s.index(at)
	if i < 0 {
		return nil
	}
	return &s.Exchanges[i]
}

// Put adds an exchange at the end, or replaces the one that was asked at the same time.
func (s *Session) Put(e Exchange) {
	if was := s.Asked(e.Asked); was != nil {
		*was = e
		return
	}
	s.Exchanges = append(s.Exchanges, e)
}

// Remove removes the exchange that was asked at a time, if there is one.
func (s *Session) Remove(asked time.Time) {
	if i := s.index(asked); i >= 0 {
		s.Exchanges = slices.Delete(s.Exchanges, i, i+1)
	}
}

// index returns the position of the exchange that was asked at a time: the last one, should there be several.
func (s *Session) index(asked time.Time) int {
	for i, e := range slices.Backward(s.Exchanges) {
		if e.Asked.Equal(asked) {
			return i
		}
	}
	return -1
}

// Messages returns the answered exchanges, complete or partial, as the history of the next run. Reports are left out:
// they quote the archive outside a run's markers.
func (s Session) Messages() []Message {
	var messages []Message
	for _, e := range s.Exchanges {
		if e.Answer != "" && !e.Report {
			messages = append(messages, Message{Role: User, Text: e.Question}, Message{Role: Assistant, Text: e.Answer})
		}
	}
	return messages
}
