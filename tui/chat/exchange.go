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
	Stopped // by the user
	Failed
	Interrupted // Lens ended before the answer was complete
	Elsewhere   // another process answers it
)

// Exchange is a question with its steps and its answer.
type Exchange struct {
	Question      string
	Asked         time.Time
	State         State
	Steps         []Step
	Citations     []agent.Citation
	Failure, Hint string // of Failed
	Truncated     bool   // the answer lacks its end
	Finish        agent.Finish
	Model         string
	Conclusion    bool            // the user pinned the answer
	Report        bool            // what Lens found comes first: the model gave no evidence
	Findings      *agent.Findings // of an answer that failed; saved, not shown

	answer   strings.Builder
	notices  []string
	wait     string // why the model does not answer yet; "" if it is not waited for, or nothing is known
	usage    agent.Usage
	speakers speakers
	revision int
	body     Body
	laid     laid
}

// laid caches the lines of a finished exchange.
type laid struct {
	shape
	revision int
	lines    []string
	answer   int  // the line where the answer begins
	sourced  bool // the last line has the sources
}

// spacedFrom is the least height that keeps the empty line above an answer that is cut.
const spacedFrom = 5

// isTight reports whether the empty line above the answer is left out in a height.
func (l *laid) isTight(height int) bool { return height < spacedFrom && height < len(l.lines) }

// answerIn returns the line where the answer begins in a height.
func (l *laid) answerIn(height int) int {
	if l.isTight(height) && l.answer > 0 && l.lines[l.answer-1] == "" {
		return l.answer - 1
	}
	return l.answer
}

// shape is what the layout of an exchange depends on, apart from its content.
type shape struct {
	width    int
	theme    theme.Name
	unfolded bool
	dense    bool   // sources are on one line
	retry    string // the key that asks again
}

// Kept returns an exchange from its saved form.
func Kept(k agent.Exchange) *Exchange {
	e := &Exchange{
		Question:   k.Question,
		Asked:      k.Asked,
		State:      Answered,
		Citations:  k.Citations,
		Truncated:  k.Truncated,
		Finish:     k.Finish,
		Model:      k.Model,
		Conclusion: k.Conclusion,
		Report:     k.Report,
		Findings:   k.Findings,
	}
	e.answer.WriteString(k.Answer)
	switch {
	case k.Answering:
		e.State = Elsewhere
	case k.Broken == "":
	case k.Broken == agent.BrokenByPerson:
		e.State = Stopped
	case k.Broken == agent.BrokenByExit:
		e.State = Interrupted
	default:
		e.State, e.Failure = Failed, cmp.Or(k.Reason, "the answer is incomplete")
	}
	return e
}

// Keep returns the saved form of the exchange.
func (e *Exchange) Keep() agent.Exchange {
	k := agent.Exchange{
		Question:   e.Question,
		Answer:     e.Answer(),
		Asked:      e.Asked,
		Model:      e.Model,
		Citations:  e.Citations,
		Truncated:  e.Truncated,
		Finish:     e.Finish,
		Conclusion: e.Conclusion,
		Report:     e.Report,
		Findings:   e.Findings,
	}
	switch e.State {
	case Running, Elsewhere:
		k.Answering = true
	case Stopped:
		k.Broken = agent.BrokenByPerson
	case Interrupted:
		k.Broken = agent.BrokenByExit
	case Failed:
		k.Broken, k.Reason = agent.BrokenByError, e.Failure
	}
	if k.Broken != "" && k.Answer != "" {
		k.Truncated = true
	}
	return k
}

// Answer returns the answer received so far.
func (e *Exchange) Answer() string { return e.answer.String() }

// Step returns the step with an ID, nil if there is none.
func (e *Exchange) Step(id string) *Step {
	at := slices.IndexFunc(e.Steps, func(s Step) bool { return s.ID == id })
	if at < 0 {
		return nil
	}
	return &e.Steps[at]
}

// Hear applies an event, whose texts must be clean.
func (e *Exchange) Hear(event agent.Event, now time.Time) {
	e.revision++
	e.wait = ""
	switch event := event.(type) {
	case agent.ToolCall:
		e.Steps = append(e.Steps, newStep(event, now))
	case agent.ToolResult:
		if s := e.Step(event.ID); s != nil {
			s.finish(event)
			e.speakers.hear(event)
		}
	case agent.Text:
		e.answer.WriteString(event.Text)
	case agent.Cited:
		e.Citations = append(e.Citations, event.Citation)
	case agent.Withdrawn:
		e.say("", nil)
	case agent.Notice:
		if event.Waits() {
			e.wait = event.Message
		} else {
			e.notices = append(e.notices, event.Message)
		}
	case agent.Partial:
		e.say(event.Text, event.Citations)
		e.Model, e.Report, e.Findings = event.Model, event.Report, &event.Findings
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
	if e.Report = d.Report; d.Report {
		e.Citations = d.Sources
	}
	e.State, e.Model, e.Truncated, e.Finish = Answered, d.Model, d.Truncated, d.Finish
	if n := len(d.Removed); n > 0 {
		e.notices = append(e.notices, "Removed "+theme.Count(n, "citation to a turn", "citations to turns")+" it hadn't read")
	}
	e.usage = d.Usage
}

// Stop ends a running exchange for the user and keeps the answer received so far.
func (e *Exchange) Stop() { e.end(Stopped) }

// Fail ends a running exchange with an error message and a hint, which may be empty.
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

// Pin marks or unmarks the answer as a conclusion.
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
