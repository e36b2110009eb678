package agent

import (
	"context"
	"errors"
	"strings"
	"time"
)

// said is a message of the model, whole.
type modelReply struct {
	Text   string
	Calls  []Call
	Finish Finish
}

// ask has the model say its next message, and passes on what it says through a new gate. Where an answer breaks off, and that was wished
// for, it is asked once more.
func (r *run) ask(ctx context.Context, mustAnswer bool) (modelReply, error) {
	p := Prompt{Tools: r.specs(), Answer: mustAnswer}
	dropped, err := r.conversation.fit(p.Tools)
	if err != nil {
		return modelReply{}, err
	}
	if dropped {
		r.emit(Notice{Code: "history_dropped", Message: "The beginning of the conversation is left out: all of it is more than the model may be sent."})
	}
	r.round++
	p.Messages = r.conversation.messages()
	answer, err := r.askOnce(ctx, p)
	if errors.Is(err, ErrBroken) && r.Retry && !r.retried && ctx.Err() == nil {
		r.retried = true
		r.emitText(r.closeFilter())
		gate, text, cited := r.filter, r.answer, r.cited
		r.withdraw("retry")
		if answer, err = r.askOnce(ctx, p); err != nil && len(r.answer) == 0 {
			r.filter, r.answer, r.cited = gate, text, cited // half an answer is more than none
		}
	}
	return answer, err
}

// hear asks once.
func (r *run) askOnce(ctx context.Context, p Prompt) (modelReply, error) {
	r.beginAnswer()
	var text strings.Builder
	var whole modelReply
	var tokens Tokens
	asked, waiting := time.Now(), time.Now()
	begun := false
	for d, err := range r.Model.Stream(ctx, p) {
		r.waited += time.Since(waiting)
		if err != nil {
			return modelReply{}, err
		}
		if !begun {
			begun = true
			r.emit(RoundStarted{Round: r.round, Waited: inMilliseconds(time.Since(asked))})
		}
		if d.DiscardText {
			text.Reset()
			r.withdraw("thought")
		}
		text.WriteString(d.Text)
		r.emitText(r.filter.Write(d.Text))
		if d.Finish != "" {
			whole.Calls, whole.Finish, tokens = d.Calls, d.Finish, d.Tokens
		}
		if r.stopped {
			return modelReply{}, context.Canceled
		}
		waiting = time.Now()
	}
	if whole.Finish == "" {
		return modelReply{}, &Error{Code: "unavailable", Op: op, Message: "the model did not end its answer", Hint: "ask again", Err: ErrBroken}
	}
	whole.Text = text.String()
	r.countTokens(p, whole, tokens)
	return whole, nil
}

// count adds to what was used, by the server's count or by an estimate.
func (r *run) countTokens(p Prompt, whole modelReply, tokens Tokens) {
	if tokens == (Tokens{}) {
		r.estimated = true
		tokens = Tokens{Prompt: r.conversation.total(p.Tools), Completion: r.Model.Tokens(whole.Text)}
	}
	r.tokens.Prompt += tokens.Prompt
	r.tokens.Completion += tokens.Completion
}

// say passes text on that has been through the gate, and the citations that are new in it.
func (r *run) emitText(text string) {
	if text == "" {
		return
	}
	r.answer = append(r.answer, text...)
	r.emit(Text{text})
	for all := r.citationsSoFar(); r.cited < len(all); r.cited++ {
		r.emit(Cited{all[r.cited]})
	}
}

func (r *run) closeFilter() string {
	rest, _ := r.filter.Close()
	return rest
}

// beginAnswer forgets what was said before.
func (r *run) beginAnswer() { r.filter, r.answer, r.cited = NewCitationFilter(r.evidence), nil, 0 }

// withdraw takes back what was said.
func (r *run) withdraw(reason string) {
	if len(r.answer) > 0 {
		r.emit(Withdrawn{reason})
	}
	r.beginAnswer()
}

// citations returns what the answer cites so far.
func (r *run) citationsSoFar() []Citation {
	all := []Citation{}
	if r.filter == nil {
		return all
	}
	for _, n := range r.filter.Verdict().Cited {
		t := r.evidence[n-1]
		all = append(all, Citation{N: n, TurnID: t.ID, Conversation: t.Conversation, Title: t.Title, Time: t.Time})
	}
	return all
}
