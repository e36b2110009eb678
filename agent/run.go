package agent

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"time"

	"lens/internal/errs"
)

// run is one investigation.
type run struct {
	Request
	yield   func(Event, error) bool
	stopped bool // the consumer has left or has received the end

	started      time.Time
	waited       time.Duration // for the model
	tools        map[string]Tool
	conversation *conversation
	evidence     []*Turn  // [n] is evidence[n-1]
	calls        []Call   // that the model has just requested
	found        []string // by the latest peek
	timesCalled  map[string]int
	endReason    string // why exploring ended; empty while it goes on
	round        int
	retried      bool
	called       bool // a call has worked
	withoutTools bool // the model answers in one pass

	filter    *CitationFilter
	answer    []byte // filtered text since the last Withdrawn
	held      bool   // it is kept from the client for now
	shown     int    // how many bytes of it were emitted
	cited     int    // how many of its citations were emitted
	trace     []Step
	tokens    Tokens
	estimated bool

	histograms []any    // of every peek
	reports    []string // of every peek, each once
	confidence float64  // the greatest of any peek
	doubt      string   // that peek's
	best       []string // turns found by any peek, the best of each
	failure    error    // that ends the run
}

// phase is one stage of a run. It returns the next one, or nil at the end.
type phase func(context.Context) phase

func newRun(req Request, yield func(Event, error) bool) (*run, error) {
	if err := req.check(); err != nil {
		return nil, err
	}
	req.Budget = req.Budget.orDefault().within(req.Limits.Context)
	if req.Log == nil {
		req.Log = slog.New(slog.DiscardHandler)
	}
	r := &run{Request: req, yield: yield, started: time.Now(), tools: map[string]Tool{}, timesCalled: map[string]int{}}
	for _, t := range req.Tools {
		r.tools[t.Spec().Name] = t
	}
	r.conversation = newConversation(req, newMarker())
	return r, nil
}

// newMarker returns a random marker for archive text: no author of that text can have known it.
func newMarker() string {
	random := make([]byte, 8)
	_, _ = rand.Read(random) // documented never to fail
	return "archive-" + hex.EncodeToString(random)
}

// run executes phases until the end.
func (r *run) run(ctx context.Context) {
	limited, cancel := context.WithTimeoutCause(ctx, r.Budget.Time, errTimeLimit)
	defer cancel()
	for next := r.begin(); next != nil && !r.stopped; {
		next = next(limited)
	}
	if r.failure != nil {
		r.giveUp(ctx)
	}
}

// emit yields an event unless the consumer has left.
func (r *run) emit(e Event) {
	if !r.stopped {
		r.stopped = !r.yield(e, nil)
	}
}

// begin returns the first phase: a model that is known to have no use for the tools is not offered them.
func (r *run) begin() phase {
	switch why := r.Limits.whyOnePass(); {
	case !r.canSearch():
	case why != "":
		return r.onePass(why)
	case r.Limits.Tools == ToolsUntrained:
		r.emit(Notice{Code: "limits", Message: r.Limits.Explain(r.Model.Name())})
	}
	return r.model
}

// model lets the model explore or answer.
func (r *run) model(ctx context.Context) phase {
	if r.endReason == "" && r.round >= r.Budget.Rounds-1 {
		r.endReason = "the round limit was reached"
	}
	if r.exploringIsOver() {
		return r.endExploring
	}
	reply, err := r.ask(ctx, false)
	switch {
	case errors.Is(err, ErrNoTools) && r.round == 1:
		return r.onePass("cannot call tools")
	case errors.Is(err, ErrContextTooLong) && r.needsEvidence():
		return r.onePass("has too small a context for Lens's tools")
	case err != nil:
		return r.fail(ctx, err)
	case len(reply.Calls) > 0 && (reply.Finish == Length || reply.Finish == Filtered): // the calls may be incomplete
		r.withdraw("aside")
		r.endReason = "a tool call exceeded the output limit"
		if reply.Finish == Filtered {
			r.endReason = "the model server withheld part of a tool call"
		}
		return r.endExploring
	case len(reply.Calls) > 0:
		r.withdraw("aside")
		r.conversation.add(Message{Role: Assistant, Text: reply.Text, Calls: reply.Calls})
		r.calls = reply.Calls
		return r.useTools
	case r.needsEvidence() && !reply.exhausted():
		return r.onePass(reply.whyNoCalls())
	}
	return r.done(reply.Finish)
}

// needsEvidence reports whether an answer would rest on nothing: the model has not looked at the archive, neither for
// this question nor for an earlier one, and Lens can do that itself.
func (r *run) needsEvidence() bool {
	answered := slices.ContainsFunc(r.Messages, func(m Message) bool { return m.Role == Assistant })
	return !r.called && !answered && r.canSearch()
}

// canSearch reports whether Lens can look at the archive itself.
func (r *run) canSearch() bool { return r.tools[ToolPeek] != nil && r.tools[ToolTurn] != nil }

// exploringIsOver reports whether tool calls are no longer allowed, and checks the time limit.
func (r *run) exploringIsOver() bool {
	if r.endReason == "" && time.Since(r.started) > r.Budget.Time/2 {
		r.endReason = "half of the time limit was used"
	}
	return r.endReason != ""
}

// useTools runs the requested calls. Each receives a result, even if only a refusal.
func (r *run) useTools(ctx context.Context) phase {
	if err := r.runCalls(ctx, r.plan(r.calls)); err != nil {
		return r.fail(ctx, err)
	}
	return r.model
}

// endExploring tells the user and the model why no more tools may be called.
func (r *run) endExploring(context.Context) phase {
	r.emit(Notice{Code: "exploring_ended", Message: "Exploring ended: " + r.endReason + "."})
	if r.needsEvidence() {
		return r.onePass("has read nothing")
	}
	r.conversation.add(Message{Role: User, Text: "Exploring has ended: " + r.endReason +
		". Answer now from what you have read, and say what you could not look at."})
	return r.synthesize
}

// synthesize requests an answer from the evidence, without tools.
func (r *run) synthesize(ctx context.Context) phase {
	reply, err := r.ask(ctx, true)
	if err != nil {
		return r.fail(ctx, err)
	}
	return r.done(reply.Finish)
}

// done ends the run with the answer.
func (r *run) done(finish Finish) phase {
	if !finish.Cuts() {
		finish = Stop
	}
	return func(ctx context.Context) phase {
		r.emitText(r.closeFilter())
		if len(bytes.TrimSpace(r.answer)) == 0 {
			return r.fail(ctx, emptyAnswer(finish))
		}
		if r.doubt != "" {
			r.emit(Notice{Code: "hardly_spoken_of", Message: r.doubt})
		}
		verdict := r.filter.Verdict()
		report := len(verdict.Cited) == 0 && r.withoutTools && r.putFindingsFirst()
		if len(verdict.Cited) == 0 && !report {
			r.emitText(r.noEvidenceNote())
		}
		r.show()
		d := Done{
			Answer:    string(r.answer),
			Report:    report,
			Sources:   []Citation{},
			Finish:    finish,
			Truncated: finish.Cuts(),
			Evidence:  len(verdict.Cited) > 0,
			Citations: r.citationsSoFar(),
			Turns:     []string{},
			Read:      r.readIDs(),
			Chunks:    []string{},
			Removed:   orEmpty(verdict.Removed),
			Quotes:    orEmpty(verdict.Quotes),
			Histogram: r.lastHistogram(),
			Trace:     orEmpty(r.trace),
			Usage:     r.usage(),
			Model:     r.Model.Name(),
		}
		if report {
			d.Sources = r.turnsRead()
		}
		for _, c := range d.Citations {
			d.Turns = append(d.Turns, c.TurnID)
			if chunk := r.evidence[c.N-1].Chunk; chunk != "" {
				d.Chunks = append(d.Chunks, chunk)
			}
		}
		r.log("answered", slog.Any("cited", d.Turns), slog.Int("removed", len(d.Removed)),
			slog.String("finish", string(finish)))
		r.emit(d.Usage)
		r.emit(d)
		return nil
	}
}

// lastHistogram returns the histogram of the latest peek, nil without one.
func (r *run) lastHistogram() any {
	if n := len(r.histograms); n > 0 {
		return r.histograms[n-1]
	}
	return nil
}

// emptyAnswer is the error for an answer without text.
func emptyAnswer(finish Finish) error {
	message, hint := "the model returned an empty answer", "ask again, or use another model"
	switch finish {
	case Length:
		message = "the model reached its output limit before it answered"
		hint = "raise LENS_CHAT_ANSWER_TOKENS, or use a model that thinks less or has a longer context"
	case Filtered:
		message = "the model server withheld the answer"
	case Repetition:
		message = "the model's thoughts went in circles"
	case Template:
		message = "the model printed nothing but the markers of its chat template"
		hint = "check the model's chat template on its server, or use another model"
	}
	return &errs.Error{Code: errs.Unavailable, Op: op, Message: message, Hint: hint}
}

// noEvidenceNote ends an answer that cites nothing.
func (r *run) noEvidenceNote() string {
	if len(r.evidence) == 0 {
		return "\n\nThis answer cites nothing from your archive."
	}
	return "\n\nThis answer cites none of the turns it read."
}

func (r *run) usage() Usage {
	took := time.Since(r.started)
	return Usage{
		Tokens: r.tokens, Estimated: r.estimated, Rounds: r.round, Turns: len(r.evidence),
		Took: inMilliseconds(took), Overhead: inMilliseconds(took - r.waited),
	}
}

// readIDs returns the ids of the turns that were read, in the order of their numbers.
func (r *run) readIDs() []string {
	ids := make([]string, len(r.evidence))
	for i, t := range r.evidence {
		ids[i] = t.ID
	}
	return ids
}

// log records ids and numbers, never text.
func (r *run) log(message string, attributes ...any) {
	attributes = append(attributes,
		slog.Any("hydrated", r.readIDs()),
		slog.Int("rounds", r.round),
		slog.Int("calls", len(r.trace)),
		slog.Int("tokens", r.tokens.Prompt+r.tokens.Completion),
		slog.Duration("after", time.Since(r.started)))
	r.Log.Info("investigation "+message, attributes...)
}

func inMilliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// argumentsOf returns the arguments as JSON, or quoted as a JSON string if they are not JSON.
func argumentsOf(c Call) json.RawMessage {
	text := []byte(cmp.Or(c.Arguments, "{}"))
	if !json.Valid(text) {
		text, _ = json.Marshal(c.Arguments) // a string always marshals
	}
	return text
}
