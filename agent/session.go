package agent

import "time"

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

// Exchange is a question and its answer.
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
	Conclusion bool       `json:"conclusion,omitempty"` // the user pinned the answer
}

// Values of Exchange.Broken for an incomplete answer.
const (
	BrokenByPerson = "stopped"
	BrokenByError  = "failed"
)

// Messages returns the answered exchanges, complete or partial, as the history of the next run.
func (s Session) Messages() []Message {
	var messages []Message
	for _, e := range s.Exchanges {
		if e.Answer != "" {
			messages = append(messages, Message{Role: User, Text: e.Question}, Message{Role: Assistant, Text: e.Answer})
		}
	}
	return messages
}
