package agent

import (
	"context"
	"errors"
	"strings"
	"time"

	"lens/internal/errs"
)

// modelReply is one complete message of the model.
type modelReply struct {
	Text   string
	Calls  []Call
	Finish Finish
}

// exhausted reports whether the message is empty and another request would most likely be no better.
func (m modelReply) exhausted() bool {
	return strings.TrimSpace(m.Text) == "" && (m.Finish == Length || m.Finish == Filtered)
}

// whyNoCalls says what the model did instead of a call.
func (m modelReply) whyNoCalls() string {
	switch {
	case m.Finish == Repetition:
		return "went in circles"
	case m.Finish == Template:
		return "printed the markers of its chat template"
	case strings.TrimSpace(m.Text) == "":
		return "said nothing"
	}
	return "did not search"
}

// ask requests the model's next message and streams its text through a new citation filter. With
// Request.Retry, an answer that breaks off is requested once more. A request that is too long for the model is sent
// once more with half of the evidence, and in one pass again and again.
func (r *run) ask(ctx context.Context, mustAnswer bool) (modelReply, error) {
	p := Prompt{Tools: r.specs(), Answer: mustAnswer, MaxTokens: r.Budget.Answer}
	dropped, err := r.conversation.fit(p.Tools)
	if err != nil {
		return modelReply{}, err
	}
	if dropped {
		r.emit(Notice{
			Code:    "history_dropped",
			Message: "The conversation is too long for the model, so its beginning was left out.",
		})
	}
	r.round++
	p.Messages = r.conversation.messages()
	answer, err := r.askOnce(ctx, p)
	for n := 0; errors.Is(err, ErrContextTooLong) && ctx.Err() == nil && n < r.halvings() && r.conversation.halve(); n++ {
		if n < 2 {
			r.emit(Notice{Code: "evidence_halved", Message: [...]string{
				"The request is too long for the model, so half of the evidence is left out.",
				"That is still too long, so more is left out, until it fits.",
			}[n]})
		}
		p.Messages = r.conversation.messages()
		answer, err = r.askAgain(ctx, p)
	}
	if errors.Is(err, ErrBroken) && r.Retry && !r.retried && ctx.Err() == nil {
		r.retried = true
		answer, err = r.askAgain(ctx, p)
	}
	return answer, err
}

// askAgain sends a request once more. It withdraws the text of the first answer, some of which may have come, and keeps
// that text if the second attempt fails without any.
func (r *run) askAgain(ctx context.Context, p Prompt) (modelReply, error) {
	r.emitText(r.closeFilter())
	filter, text, held, shown, cited := r.filter, r.answer, r.held, r.shown, r.cited
	r.withdraw("retry")
	answer, err := r.askOnce(ctx, p)
	if err != nil && len(r.answer) == 0 {
		r.filter, r.answer, r.held, r.shown, r.cited = filter, text, held, shown, cited
	}
	return answer, err
}

// askOnce sends one request.
func (r *run) askOnce(ctx context.Context, p Prompt) (modelReply, error) {
	r.beginAnswer()
	text := r.conversation.newText()
	var reply modelReply
	var tokens Tokens
	asked, waiting := time.Now(), time.Now()
	begun := false
	for d, err := range r.Model.Stream(ctx, p) {
		r.waited += time.Since(waiting)
		if err != nil {
			if begun { // it is paid for, too
				r.countTokens(p, modelReply{Text: text.said.String()}, Tokens{})
			}
			return modelReply{}, err
		}
		if !begun && d.Notice == nil {
			begun = true
			r.emit(RoundStarted{Round: r.round, Waited: inMilliseconds(time.Since(asked))})
		}
		if d.Notice != nil {
			r.emit(*d.Notice)
		}
		if d.DiscardText {
			text = r.conversation.newText()
			r.withdraw("thought")
		}
		said, cut := text.add(d)
		r.emitText(r.filter.Write(said))
		if d.Finish != "" {
			reply.Calls, reply.Finish, tokens = d.Calls, d.Finish, d.Tokens
		}
		if r.stopped {
			return modelReply{}, context.Canceled
		}
		if cut != "" {
			reply.Calls, reply.Finish = nil, cut
			if r.held {
				r.beginAnswer()
				r.emitText(r.filter.Write(text.withoutCircles()))
			}
			break
		}
		waiting = time.Now()
	}
	if reply.Finish == "" {
		r.countTokens(p, modelReply{Text: text.said.String()}, Tokens{})
		return modelReply{}, &errs.Error{
			Code: errs.Unavailable, Op: op, Message: "the model's answer has no end", Hint: "ask again", Err: ErrBroken,
		}
	}
	reply.Text = text.said.String()
	r.countTokens(p, reply, tokens)
	return reply, nil
}

// countTokens adds to the usage: the server's count or, without one, an estimate.
func (r *run) countTokens(p Prompt, reply modelReply, tokens Tokens) {
	counted := r.conversation.total(p.Tools)
	r.Ratio.observe(counted, tokens.Prompt)
	if tokens == (Tokens{}) {
		r.estimated = true
		tokens = Tokens{Prompt: counted, Completion: r.Model.Tokens(reply.Text)}
	}
	r.tokens.Prompt += tokens.Prompt
	r.tokens.Completion += tokens.Completion
}

// emitText adds filtered text to the answer, and emits it unless that is held back.
func (r *run) emitText(text string) {
	r.answer = append(r.answer, text...)
	if !r.held || r.withoutTools && len(r.filter.Verdict().Cited) > 0 {
		r.show()
	}
}

// show emits the part of the answer that is held back, and the citations that appear in it for the first time.
func (r *run) show() {
	r.held = false
	if r.shown == len(r.answer) {
		return
	}
	r.emit(Text{string(r.answer[r.shown:])})
	r.shown = len(r.answer)
	for all := r.citationsSoFar(); r.cited < len(all); r.cited++ {
		r.emit(Cited{all[r.cited]})
	}
}

func (r *run) closeFilter() string {
	rest, _ := r.filter.Close()
	return rest
}

// beginAnswer starts an empty answer. It is held back where it may not stand: until the model calls a tool, or in one
// pass until it cites something.
func (r *run) beginAnswer() {
	r.filter, r.answer, r.shown, r.cited = NewCitationFilter(r.evidence), nil, 0, 0
	r.held = r.withoutTools || r.needsEvidence()
}

// withdraw tells the client to drop the answer so far.
func (r *run) withdraw(reason string) {
	if r.shown > 0 {
		r.emit(Withdrawn{reason})
	}
	r.beginAnswer()
}

// citationsSoFar returns what the answer cites so far.
func (r *run) citationsSoFar() []Citation {
	all := []Citation{}
	if r.filter == nil {
		return all
	}
	for _, n := range r.filter.Verdict().Cited {
		all = append(all, r.citation(n))
	}
	return all
}

func (r *run) citation(n int) Citation {
	t := r.evidence[n-1]
	return Citation{N: n, TurnID: t.ID, Conversation: t.Conversation, Title: t.Title, Time: t.Time, AnswerID: t.Answer}
}
