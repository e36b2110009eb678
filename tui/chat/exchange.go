package chat

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"lens/agent"
	"lens/tui/theme"
)

// State is how far an exchange has come.
type State int

// The states of an exchange.
const (
	Running State = iota
	Answered
	Stopped // by the person
	Failed
)

// Exchange is a question and what came of it.
type Exchange struct {
	Question      string
	Asked         time.Time
	State         State
	Steps         []Step
	Citations     []agent.Citation
	Failure, Hint string // of Failed
	Model         string
	Conclusion    bool // the person pinned the answer

	answer   strings.Builder
	notices  []string
	ending   string // what it took
	revision int
	body     Body
	laid     laid
}

// laid are the lines of an exchange that does not change any more.
type laid struct {
	shape
	revision int
	lines    []string
}

// shape is what lines depend on besides the exchange.
type shape struct {
	width  int
	theme  theme.Name
	folded bool
}

// Kept returns the exchange that was kept in a session.
func Kept(k agent.Exchange) *Exchange {
	e := &Exchange{Question: k.Question, Asked: k.Asked, State: Answered, Citations: k.Citations, Model: k.Model, Conclusion: k.Conclusion}
	e.answer.WriteString(k.Answer)
	switch k.Broken {
	case "":
	case agent.BrokenByPerson:
		e.State = Stopped
	default:
		e.State, e.Failure = Failed, cmp.Or(k.Reason, "the answer did not come to its end")
	}
	return e
}

// Keep returns what is kept of the exchange.
func (e *Exchange) Keep() agent.Exchange {
	k := agent.Exchange{Question: e.Question, Answer: e.Answer(), Asked: e.Asked, Model: e.Model, Citations: e.Citations, Conclusion: e.Conclusion}
	switch e.State {
	case Running, Stopped:
		k.Broken = agent.BrokenByPerson
	case Failed:
		k.Broken, k.Reason = agent.BrokenByError, e.Failure
	}
	return k
}

// Answer returns the answer, as far as there is one.
func (e *Exchange) Answer() string { return e.answer.String() }

// Step returns the step of an id, nil when there is none.
func (e *Exchange) Step(id string) *Step {
	at := slices.IndexFunc(e.Steps, func(s Step) bool { return s.ID == id })
	if at < 0 {
		return nil
	}
	return &e.Steps[at]
}

// Hear takes note of what happens. The event's texts must be clean.
func (e *Exchange) Hear(event agent.Event, now time.Time) {
	e.revision++
	switch event := event.(type) {
	case agent.ToolCall:
		e.Steps = append(e.Steps, newStep(event, now))
	case agent.ToolResult:
		if s := e.Step(event.ID); s != nil {
			s.finish(event)
		}
	case agent.Text:
		e.answer.WriteString(event.Text)
	case agent.Cited:
		e.Citations = append(e.Citations, event.Citation)
	case agent.Withdrawn:
		e.say("", nil)
	case agent.Notice:
		e.notices = append(e.notices, event.Message)
	case agent.Partial:
		e.say(event.Text, event.Citations)
	case agent.Done:
		e.done(event)
	}
}

// say replaces the answer.
func (e *Exchange) say(text string, citations []agent.Citation) {
	e.answer.Reset()
	e.answer.WriteString(text)
	e.Citations = citations
}

func (e *Exchange) done(d agent.Done) {
	e.say(d.Answer, d.Citations)
	e.State, e.Model = Answered, d.Model
	if n := len(d.Removed); n > 0 {
		e.notices = append(e.notices, theme.Count(n, "citation", "citations")+" of what was not read taken out")
	}
	e.ending = theme.Count(d.Usage.Rounds, "round", "rounds") + ", " + theme.Count(d.Usage.Turns, "turn", "turns") + " read, " + seconds(d.Usage.Took)
}

// Stop ends an exchange by the person's wish. What there is of an answer stays.
func (e *Exchange) Stop() { e.end(Stopped) }

// Fail ends an exchange by an error: a sentence, and the next step or "".
func (e *Exchange) Fail(message, hint string) {
	if e.State == Running {
		e.Failure, e.Hint = message, hint
	}
	e.end(Failed)
}

func (e *Exchange) end(s State) {
	if e.State != Running {
		return
	}
	e.State = s
	e.revision++
	for i := range e.Steps {
		e.Steps[i].abandon()
	}
}

// Pin makes the answer a conclusion, or an answer again.
func (e *Exchange) Pin() {
	e.Conclusion = !e.Conclusion
	e.revision++
}

func (e *Exchange) cited(n int) (agent.Citation, bool) {
	at := slices.IndexFunc(e.Citations, func(c agent.Citation) bool { return c.N == n })
	if at < 0 {
		return agent.Citation{}, false
	}
	return e.Citations[at], true
}
