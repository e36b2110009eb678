package agent

import "time"

// Session is a chat that is kept: only what was finally shown of it. It holds what people ask and what their chats say; whoever keeps it
// keeps it as private as the archive.
type Session struct {
	ID        string     `json:"id"` // a UUID
	Name      string     `json:"name"`
	Created      time.Time  `json:"created_at"`
	Updated   time.Time  `json:"updated_at"`
	Pinned    bool       `json:"pinned,omitempty"`
	Archived  bool       `json:"archived,omitempty"`
	Exchanges []Exchange `json:"exchanges"`
}

// Exchange is a question and its answer.
type Exchange struct {
	Question   string     `json:"question"`
	Answer     string     `json:"answer"` // as it passed the gate; "": there was none
	Broken     string     `json:"broken,omitempty"`
	Reason     string     `json:"reason,omitempty"` // of BrokenByError, as the person was told it; "": none was given
	Asked      time.Time  `json:"asked_at"`
	Model      string     `json:"model,omitempty"`
	Citations  []Citation `json:"citations"`
	Conclusion bool       `json:"conclusion,omitempty"` // a person pinned the answer
}

// What Exchange.Broken says of an answer that did not come to its end.
const (
	BrokenByPerson = "stopped"
	BrokenByError  = "failed"
)

// Messages returns the session as a run is asked to go on with it: what was answered, whole or in part.
func (s Session) Messages() []Message {
	var messages []Message
	for _, e := range s.Exchanges {
		if e.Answer != "" {
			messages = append(messages, Message{Role: User, Text: e.Question}, Message{Role: Assistant, Text: e.Answer})
		}
	}
	return messages
}
