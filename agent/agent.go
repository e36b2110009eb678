// Package agent answers questions about an archive. It lets a chat model search with two read-only tools and
// streams an answer in which every claim cites a turn.
//
// A run goes through named phases:
//
//	model ⇄ tools → synthesize → done          (a model that calls no tool: onePass → synthesize → done)
//
// The rules are:
//
//   - Only turns that were read can be cited. A citation [n] names the n-th turn that was hydrated in this
//     run. CitationFilter removes every other number or id before the client sees it, and compares quotations
//     with the turns.
//   - A limit (rounds, hydrated turns, time, repeated calls) ends the exploring, not the answer.
//   - Archive text is data. It reaches the model between random markers, nothing in it is obeyed, and the run
//     calls only the tools it was given.
//   - A run works while its consumer asks for the next event, and leaves no goroutine behind: only the calls of one
//     round run side by side, and it waits for them. Canceling ctx ends it.
//   - The first answer of a conversation rests on evidence: it is held back until the model calls a tool. If it calls
//     none, Lens searches and reads for it, and an answer that cites nothing of that stands below what Lens found.
//   - A message that goes in circles or prints its chat template is cut.
//   - A partial answer is never presented as complete, and a failure loses no evidence: all that was said, found
//     and read comes as a Partial, followed by the error. If the model said nothing, Lens reports what it found.
//
// The package imports no other package of Lens: agent/openai provides the model and agent/tools the tools.
package agent

import (
	"context"
	"iter"
	"log/slog"
	"strings"
	"time"

	"lens/internal/errs"
)

// Request is one question and everything needed to answer it.
type Request struct {
	Model Model
	Tools []Tool

	// Messages is the conversation so far, of the roles User and Assistant. The last one is the question.
	Messages []Message

	Limits Limits // of Model
	Budget Budget
	Ratio  *TokenRatio  // of Model, for all runs of a session; nil: Model.Tokens is exact
	Retry  bool         // ask once more when an answer breaks off; Withdrawn takes back the first attempt
	Now    time.Time    // the date that the model is given; zero: the clock's
	Log    *slog.Logger // receives ids and numbers, never text; nil: none
}

// Run investigates and yields events in order. The last event is Done, or Partial and the last pair carries the error:
// invalid (no question, no model), too_large (the question alone exceeds the budget), rate_limited,
// unavailable (the model server or the time limit), ctx's own, or a tool error that the model cannot act on.
func Run(ctx context.Context, req Request) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		r, err := newRun(req, yield)
		if err != nil {
			yield(nil, err)
			return
		}
		r.run(ctx)
	}
}

// Budget limits a run. A zero field means its default.
type Budget struct {
	Rounds     int           // requests to the model, the last of them without tools; 0: 8
	Turns      int           // hydrated turns; 0: 20
	Tokens     int           // in one request to the model, as it is sent, with the tools; 0: 50,000
	TurnTokens int           // of one hydrated turn; the middle of a longer one is left out; 0: 3,000
	PeekTokens int           // of one peek result; 0: 6,000
	Time       time.Duration // of the whole run, half of it for exploring; 0: half an hour
	Calls      int           // tool calls that run in one round; 0: 8
	Repeats    int           // identical calls that end the exploring; 0: 3
	Answer     int           // tokens of one message of the model, with its thoughts if it has any; 0: 8,192
}

func (b Budget) orDefault() Budget {
	fill := func(value *int, fallback int) {
		if *value <= 0 {
			*value = fallback
		}
	}
	fill(&b.Rounds, 8)
	fill(&b.Turns, 20)
	fill(&b.Tokens, 50_000)
	fill(&b.TurnTokens, 3_000)
	fill(&b.PeekTokens, 6_000)
	fill(&b.Calls, 8)
	fill(&b.Repeats, 3)
	fill(&b.Answer, 8_192)
	if b.Time <= 0 {
		b.Time = 30 * time.Minute // a model on a CPU takes minutes for a first token
	}
	return b
}

func (req Request) check() error {
	switch last := len(req.Messages) - 1; {
	case req.Model == nil:
		return &errs.Error{
			Code: errs.Invalid, Op: op, Message: "no chat model is configured",
			Hint: "set OPENAI_API_KEY, or OPENAI_BASE_URL for your own server",
		}
	case last < 0 || req.Messages[last].Role != User || strings.TrimSpace(req.Messages[last].Text) == "":
		return &errs.Error{Code: errs.Invalid, Op: op, Message: "the question is empty", Hint: "type a question"}
	}
	return nil
}
