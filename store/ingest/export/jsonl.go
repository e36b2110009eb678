package export

import (
	"bufio"
	"encoding/json"
	"iter"
	"time"

	"github.com/google/uuid"

	"lens/store"
)

// JSONL is one JSON object per line and turn.
var JSONL = Format{
	Name:            "jsonl",
	Extension:       ".jsonl",
	Description:     "one line per turn",
	EscapesControls: true,
	Encode:          encodeJSONL,
}

func encodeJSONL(w *bufio.Writer, turns iter.Seq2[*store.Turn, error]) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for t, err := range turns {
		if err != nil {
			return err
		}
		if err := encoder.Encode(newJSONTurn(t)); err != nil {
			return err
		}
	}
	return nil
}

// jsonTurn is a turn as JSONL has it.
type jsonTurn struct {
	Turn         uuid.UUID  `json:"turn_id"`
	UserMessage  uuid.UUID  `json:"user_message_id"`
	Assistant    *uuid.UUID `json:"assistant_message_id"` // null: no answer
	Conversation uuid.UUID  `json:"conversation_id"`
	Title        string     `json:"title"`
	Time         *time.Time `json:"create_time"` // null: undated
	User         string     `json:"user"`
	Reply        string     `json:"assistant"`
	Summary      string     `json:"summary"`
	Model        string     `json:"model_slug"`
	OnPath       bool       `json:"on_active_path"`
	Undated      bool       `json:"undated"`
}

func newJSONTurn(t *store.Turn) jsonTurn {
	l := jsonTurn{
		Turn: t.ID, UserMessage: t.UserMessage, Conversation: t.Conversation, Title: t.Title,
		User: t.UserText, Reply: t.AssistantText, Summary: t.Summary, Model: t.Model, OnPath: t.OnPath,
		Undated: t.Time.IsZero(),
	}
	if t.Assistant != uuid.Nil {
		l.Assistant = &t.Assistant
	}
	if !l.Undated {
		at := t.Time.UTC()
		l.Time = &at
	}
	return l
}
