package retrieval

import (
	"context"
	"encoding/hex"
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/store"
)

// maxAmbiguous is how far an ambiguous prefix is counted.
const maxAmbiguous = 100

// Turn returns the turn whose id begins with prefix. Errors: invalid (not a prefix of an id, or ambiguous),
// not_found.
func (e *Engine) Turn(ctx context.Context, prefix string) (*Turn, error) {
	return e.turn(ctx, prefix, func(*snapshot, *Turn) error { return nil })
}

// EmbeddedTurn is Turn with its Embedding.
func (e *Engine) EmbeddedTurn(ctx context.Context, prefix string) (*Turn, error) {
	return e.turn(ctx, prefix, func(a *snapshot, t *Turn) error {
		embedded, err := e.source.Embedded(ctx, []uuid.UUID{t.TurnID})
		switch {
		case err != nil || embedded[0].Generation == 0:
			return err
		case embedded[0].Generation != a.active.ID: // the model has changed since: not_found reads again
			return &errs.Error{
				Code: errs.NotFound, Op: "retrieval: turn", Message: "the turns are being embedded by another model",
				Hint: "try again",
			}
		}
		t.setEmbedded(&embedded[0], a.active)
		return nil
	})
}

// turn reads a turn, and completes it.
func (e *Engine) turn(ctx context.Context, prefix string, complete func(*snapshot, *Turn) error) (*Turn, error) {
	normal, err := normalizePrefix(prefix)
	if err != nil {
		return nil, err
	}
	var turn *Turn
	err = e.readConsistently(ctx, func(a *snapshot) error {
		id, err := e.findTurn(ctx, normal)
		if err != nil {
			return err
		}
		turns, err := e.source.Turns(ctx, []uuid.UUID{id})
		if err != nil {
			return err
		}
		turn = a.hydrate(&turns[0])
		if err := e.setAnswers(ctx, turn); err != nil {
			return err
		}
		return complete(a, turn)
	})
	return turn, err
}

// setAnswers sets the answers to the user message of a turn of a chat.
func (e *Engine) setAnswers(ctx context.Context, t *Turn) error {
	if t.Chunk != nil {
		return nil
	}
	answers, err := e.source.Answers(ctx, t.Conversation, t.UserMessage)
	if err != nil {
		return err
	}
	for _, a := range answers {
		answer := Answer{TurnID: a.Turn}
		if a.First != uuid.Nil && a.First != t.UserMessage {
			answer.ID = optionalID(store.AnswerID(t.UserMessage, a.First))
		}
		if a.Turn == t.TurnID {
			t.AnswerID = answer.ID
		}
		if len(answers) > 1 {
			t.Answers = append(t.Answers, answer)
		}
	}
	return nil
}

// MaxTurns is how many turns Turns reads at most.
const MaxTurns = 50

// Turns returns the turns whose ids begin with prefixes, in that order, and the prefixes that no turn has. It takes 1
// to 50 prefixes. Errors: invalid (too many, not a prefix of an id, or ambiguous).
func (e *Engine) Turns(ctx context.Context, prefixes []string) (*Turns, error) {
	if len(prefixes) == 0 || len(prefixes) > MaxTurns {
		return nil, invalid("turns", "read them in parts", "%d IDs given, must be 1 to %d", len(prefixes), MaxTurns)
	}
	normal := make([]string, len(prefixes))
	for i, prefix := range prefixes {
		var err error
		if normal[i], err = normalizePrefix(prefix); err != nil {
			return nil, err
		}
	}
	var found *Turns
	err := e.readConsistently(ctx, func(a *snapshot) error {
		found = &Turns{Turns: []*Turn{}, Missing: []string{}}
		var ids []uuid.UUID
		for i, prefix := range normal {
			id, err := e.findTurn(ctx, prefix)
			switch {
			case errs.CodeOf(err) == errs.NotFound:
				found.Missing = append(found.Missing, prefixes[i])
			case err != nil:
				return err
			default:
				ids = append(ids, id)
			}
		}
		if len(ids) == 0 {
			return nil
		}
		turns, err := e.source.Turns(ctx, ids)
		for i := range turns {
			turn := a.hydrate(&turns[i])
			if err := e.setAnswers(ctx, turn); err != nil {
				return err
			}
			found.Turns = append(found.Turns, turn)
		}
		return err
	})
	return found, err
}

// CheckTurnID checks that a text can be the start of a turn's id. Errors: invalid.
func CheckTurnID(prefix string) error {
	_, err := normalizePrefix(prefix)
	return err
}

// setEmbedded sets the fields of a turn that has a vector.
func (t *Turn) setEmbedded(e *store.Embedded, g store.Generation) {
	if e.Generation == 0 {
		return
	}
	if e.Text != "" {
		t.ContentUsed = &e.Text
	}
	t.Embedding = &Embedding{
		Provider: g.Provider, Model: g.Model, Dim: g.Dim, Recipe: g.Recipe, Prefix: g.Prefixes.Document,
		ContentHash: hex.EncodeToString(e.Content[:]), UsedSummary: e.UsedSummary,
	}
}

// normalizePrefix returns prefix in lower case with the hyphens of an id.
func normalizePrefix(prefix string) (string, error) {
	given := strings.ToLower(strings.TrimSpace(prefix))
	digits := strings.ReplaceAll(given, "-", "")
	normal := hyphenated(digits)
	isHex := strings.Trim(digits, "0123456789abcdef") == ""
	hyphensFit := given == digits || strings.TrimSuffix(given, "-") == normal
	if digits == "" || len(digits) > 32 || !isHex || !hyphensFit {
		return "", invalid("turn", "copy the ID of a match, or its first characters", "not the start of a turn ID")
	}
	return normal, nil
}

// hyphenated puts hyphens after the 8th, 12th, 16th and 20th digit, where more follow.
func hyphenated(digits string) string {
	var b strings.Builder
	for i, d := range []byte(digits) {
		if i == 8 || i == 12 || i == 16 || i == 20 {
			b.WriteByte('-')
		}
		b.WriteByte(d)
	}
	return b.String()
}

// findTurn returns the one id that begins with prefix. A whole id may be that of an answer which was chosen since.
func (e *Engine) findTurn(ctx context.Context, prefix string) (uuid.UUID, error) {
	ids, err := e.source.FindTurns(ctx, prefix, maxAmbiguous+1)
	if whole, bad := uuid.Parse(prefix); err == nil && len(ids) == 0 && bad == nil {
		var found uuid.UUID
		if found, err = e.source.FindAnswer(ctx, whole); err == nil {
			return found, nil
		}
		if errs.CodeOf(err) == errs.NotFound {
			err = nil
		}
	}
	const hint = "use more of the ID"
	switch {
	case err != nil:
		return uuid.Nil, err
	case len(ids) == 0:
		return uuid.Nil, &errs.Error{
			Code: errs.NotFound, Op: "retrieval: turn", Message: "no turn ID starts with this",
			Hint: "copy the ID of a match",
		}
	case len(ids) > maxAmbiguous:
		return uuid.Nil, invalid("turn", hint, "more than %d turn IDs start with this", maxAmbiguous)
	case len(ids) > 1:
		return uuid.Nil, invalid("turn", hint, "%d turn IDs start with this", len(ids))
	}
	return ids[0], nil
}

func (a *snapshot) hydrate(t *store.Turn) *Turn {
	turn := &Turn{
		TurnID: t.ID, Conversation: t.Conversation, Title: t.Title,
		UserMessage: t.UserMessage, AssistantMessage: optionalID(t.Assistant),
		TimeSource: TimeSources[min(t.TimeSource, store.Undated)],
		User:       t.UserText, Assistant: t.AssistantText, Summary: t.Summary, UsedSummary: t.Summary != "",
		Model: t.Model, Source: string(t.Source.Service()), OnPath: t.OnPath, Position: t.Position,
		EmbeddingModel: a.active.Model, Chunk: chunkOf(t),
	}
	if t.TimeSource != store.Undated {
		turn.Time = inUTC(t.Time)
	}
	if !t.Created.IsZero() {
		turn.Created = inUTC(t.Created)
	}
	if row, alive := a.Row(t.Ord); alive {
		turn.Prev, turn.Next = a.idOf(a.Prev[row]), a.idOf(a.Next[row])
		turn.Turns = a.turnsOf(a.Catalog.Conversation[row])
	}
	return turn
}

func inUTC(t time.Time) *time.Time {
	t = t.UTC()
	return &t
}

// turnsOf counts the turns on the active path of a conversation.
func (a *snapshot) turnsOf(conversation int32) int {
	n := 0
	for row, c := range a.Catalog.Conversation {
		if c == conversation && a.Flags[row]&store.FlagOnPath != 0 {
			n++
		}
	}
	return n
}

// idOf returns the id of a row, nil for -1.
func (a *snapshot) idOf(row int32) *uuid.UUID {
	if row < 0 {
		return nil
	}
	return &a.ID[row]
}
