// Package agent investigates an archive: it lets a chat model explore by meaning and time with two read-only tools, and passes on an
// answer of which every claim can be followed to a turn.
//
// A run goes through named phases:
//
//	model ⇄ tools → synthesise → done          (a model without tools: onePass → synthesise → done)
//
// The rules are:
//
//   - Nothing is cited that was not read. A citation [n] names the n-th turn that was hydrated in this run; any other number or id is
//     taken out before a face sees it, and quotations are held against the turn. See Gate.
//   - Whatever ends the exploring (rounds, hydrated turns, time, the same call again and again) ends the exploring, not the answer.
//   - What comes from the archive is data: it reaches the model between markers that nobody can guess, and nothing in it is obeyed by
//     this package, which runs no tool but those it was given.
//   - A run starts no goroutine. It works while its consumer asks for the next event, and cancelling ctx ends it.
//   - A half answer is never passed off as a whole one: what was said before a failure comes as a Partial, followed by the error.
//
// It imports nothing of ours: the model is agent/openai's, the tools are agent/tools'.
package agent

import (
	"context"
	"iter"
	"log/slog"
	"strings"
	"time"
)

// Request is what to investigate, and with what.
type Request struct {
	Model Model
	Tools []Tool

	// Messages is the conversation so far, of the roles User and Assistant. The last one is the question.
	Messages []Message

	Budget Budget
	Retry  bool         // ask once more when an answer breaks off in its middle; what was said of it is withdrawn
	Now    time.Time    // today, for the model; zero: the clock's
	Log    *slog.Logger // gets ids and numbers, never text; nil: none
}

// Run investigates and yields what happens, in order, ending with Done or an error. Errors: invalid (no question, no model), too_large
// (the question alone is over the budget), rate_limited, unavailable (the model's server, the wall-clock limit), ctx's own, and those
// of the tools that no model can do anything about.
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

// Budget bounds a run. The zero value of a field is its default.
type Budget struct {
	Rounds     int           // times the model is asked, the last of them without tools; 0: 8
	Turns      int           // that may be hydrated; 0: 20
	Tokens     int           // of everything the model is sent at a time; 0: 50,000
	TurnTokens int           // of one hydrated turn, the rest is left out; 0: 3,000
	PeekTokens int           // of one peek; 0: 6,000
	Time       time.Duration // of the whole run, half of it for exploring; 0: three minutes
	Repeats    int           // how often the same call may come before it ends the exploring; 0: 3
}

func (b Budget) orDefault() Budget {
	fill := func(value *int, standard int) {
		if *value <= 0 {
			*value = standard
		}
	}
	fill(&b.Rounds, 8)
	fill(&b.Turns, 20)
	fill(&b.Tokens, 50_000)
	fill(&b.TurnTokens, 3_000)
	fill(&b.PeekTokens, 6_000)
	fill(&b.Repeats, 3)
	if b.Time <= 0 {
		b.Time = 3 * time.Minute
	}
	return b
}

func (req Request) check() error {
	switch last := len(req.Messages) - 1; {
	case req.Model == nil:
		return &Error{Code: "invalid", Op: op, Message: "there is no chat model", Hint: "set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own"}
	case last < 0 || req.Messages[last].Role != User || strings.TrimSpace(req.Messages[last].Text) == "":
		return &Error{Code: "invalid", Op: op, Message: "there is no question", Hint: "type what you want to know"}
	}
	return nil
}
