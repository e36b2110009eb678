package agent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"lens/internal/errs"
)

// conversation holds the messages sent to the model and keeps them within the token budget. Each text is
// counted once.
type conversation struct {
	model   Model
	budget  Budget
	ratio   *TokenRatio
	marker  string
	entries []entry
	tools   int // tokens of the tool descriptions; 0: not counted yet
}

// entry is one message.
type entry struct {
	Message
	tokens  int
	brief   string // replaces a tool result when room is needed
	result  bool   // a tool result, which may be shortened
	surplus bool   // the refusal of a call beyond the limit of its round, which may be dropped with the call
	history bool   // part of an earlier question, which may be dropped
}

// Tokens beside the texts. The chat format adds tokensPerMessage to a message (OpenAI Cookbook, "How to count tokens
// with tiktoken": 3, and 1 for the role); tokensPerRequest exceeds the members that are neither messages nor tools.
const (
	tokensPerMessage = 4
	tokensPerRequest = 80
)

func newConversation(req Request, marker string) *conversation {
	c := &conversation{model: req.Model, budget: req.Budget, ratio: req.Ratio, marker: marker}
	c.add(Message{Role: System, Text: systemPrompt(req, marker)})
	for i, m := range req.Messages {
		if m.Role != Assistant {
			m.Role = User // only this package speaks as the system or a tool
		} else {
			m.Text = citationMarks().ReplaceAllString(m.Text, "")
		}
		c.add(Message{Role: m.Role, Text: m.Text})
		c.entries[len(c.entries)-1].history = i < len(req.Messages)-1
	}
	return c
}

func (c *conversation) add(m Message) { c.append(entry{Message: m}) }

// instruct replaces the system's message.
func (c *conversation) instruct(text string) {
	c.entries[0].Text = text
	c.entries[0].tokens = c.count(c.entries[0].Message)
}

func (c *conversation) append(e entry) {
	e.tokens = c.count(e.Message)
	c.entries = append(c.entries, e)
}

// count returns the tokens of a message as it is sent: as JSON, whose escapes and names count, too.
func (c *conversation) count(m Message) int {
	type function struct{ Name, Arguments string }
	type call struct {
		ID, Type string
		Function function
	}
	sent := struct {
		Role, Content, ToolCallID string
		ToolCalls                 []call
	}{Role: string(m.Role), Content: m.Text, ToolCallID: m.Call}
	for _, one := range m.Calls {
		sent.ToolCalls = append(sent.ToolCalls, call{one.ID, "function", function{one.Name, one.Arguments}})
	}
	return c.countJSON(sent)
}

func (c *conversation) countJSON(value any) int {
	text, _ := json.Marshal(value) // strings always marshal
	return tokensPerMessage + c.model.Tokens(string(text))
}

// addResult adds the result of a call. A call without an id was made by the run itself, so its result goes as
// a user message.
func (c *conversation) addResult(call, text, brief string) {
	role := ToolRole
	if call == "" {
		role = User
	}
	c.append(entry{Message: Message{Role: role, Call: call, Text: text}, brief: brief, result: true})
}

// addTurn adds a hydrated turn under its number.
func (c *conversation) addTurn(call string, n int, t *Turn) {
	head := fmt.Sprintf("[%d] turn %s, %s, conversation %s", n, t.ID, t.day(), t.Conversation)
	half := c.budget.TurnTokens / 2
	user := c.cut(t.User, half)
	assistant := t.Assistant
	parts := []string{head, "Title: " + c.cut(t.Title, 100), "User: " + user}
	room := c.budget.TurnTokens - c.model.Tokens(user)
	if t.Summary != "" && c.exceeds(assistant, room) {
		summary := c.cut(t.Summary, room/2)
		parts = append(parts, "Summary of the reply (do not quote it): "+summary)
		room -= c.model.Tokens(summary)
	}
	parts = append(parts, "Assistant: "+c.cut(assistant, room))
	brief := fmt.Sprintf("[%d] turn %s, %s: read before, left out here to make room; can still be cited", n, t.ID, t.day())
	// No brackets: a small model that copies this line would cite the turn.
	c.addResult(call, "The number to cite this turn by is "+itoa(n)+".\n"+c.fenced(strings.Join(parts, "\n")), brief)
}

// fence returns the marker before archive text.
func (c *conversation) fence() string { return "<" + c.marker + ">" }

// newText returns the text of a message before it streams.
func (c *conversation) newText() messageText {
	return messageText{template: templateFilter{fence: c.fence()}}
}

// fenced puts archive text between the markers.
func (c *conversation) fenced(text string) string {
	return c.fence() + "\n" + strings.ReplaceAll(text, c.marker, "…") + "\n</" + c.marker + ">"
}

// messages returns what to send.
func (c *conversation) messages() []Message {
	messages := make([]Message, len(c.entries))
	for i, e := range c.entries {
		messages[i] = e.Message
	}
	return messages
}

// total returns the tokens of the whole request.
func (c *conversation) total(specs []Spec) int {
	if c.tools == 0 {
		for _, s := range specs {
			c.tools += c.countJSON(map[string]any{"type": "function", "function": s})
		}
	}
	n := tokensPerRequest
	if len(specs) > 0 {
		n += c.tools
	}
	for _, e := range c.entries {
		n += e.tokens
	}
	return n
}

// fit makes room: it first shortens the oldest tool results, then drops the oldest messages of the history
// and reports that. It fails when that is not enough.
func (c *conversation) fit(specs []Spec) (dropped bool, err error) {
	limit := c.ratio.of(c.budget.Tokens)
	if c.total(specs) > limit {
		c.dropSurplus()
	}
	total := c.total(specs)
	for i := range c.entries {
		if total <= limit {
			return false, nil
		}
		if e := &c.entries[i]; e.result {
			total -= e.tokens
			c.leaveOut(e)
			total += e.tokens
		}
	}
	for total > limit {
		oldest := slices.IndexFunc(c.entries, func(e entry) bool { return e.history })
		if oldest < 0 {
			return dropped, &errs.Error{
				Code: errs.TooLarge, Op: op,
				Message: "the question is too long for the model", Hint: "ask a shorter question",
			}
		}
		total -= c.entries[oldest].tokens
		c.entries = slices.Delete(c.entries, oldest, oldest+1)
		dropped = true
	}
	return dropped, nil
}

// leaveOut replaces a tool result.
func (c *conversation) leaveOut(e *entry) {
	e.Text, e.result = "[left out to make room] "+e.brief, false
	e.tokens = c.count(e.Message)
}

// dropSurplus drops the calls that were refused because their round had too many, with the refusals.
func (c *conversation) dropSurplus() {
	caller := -1
	for i, e := range c.entries {
		if len(e.Calls) > 0 {
			caller = i
		}
		if !e.surplus {
			continue
		}
		calls := &c.entries[caller].Calls
		*calls = slices.DeleteFunc(slices.Clone(*calls), func(call Call) bool { return call.ID == e.Call })
		c.entries[caller].tokens = -1
	}
	c.entries = slices.DeleteFunc(c.entries, func(e entry) bool { return e.surplus })
	for i := range c.entries {
		if e := &c.entries[i]; e.tokens < 0 {
			e.tokens = c.count(e.Message)
		}
	}
}

// halve leaves out the oldest half of the evidence or, without any, of the history. It returns false if there is
// neither.
func (c *conversation) halve() bool {
	c.dropSurplus()
	evidence, history := 0, 0
	for _, e := range c.entries {
		if e.result {
			evidence += e.tokens
		}
		if e.history {
			history += e.tokens
		}
	}
	half := evidence / 2
	for i := 0; i < len(c.entries) && evidence > half; i++ {
		e, excess := &c.entries[i], evidence-half
		switch {
		case !e.result:
		case e.tokens <= excess:
			evidence -= e.tokens
			c.leaveOut(e)
		default:
			e.Text = c.cut(e.Text, e.tokens-excess)
			e.tokens = c.count(e.Message)
			return true
		}
	}
	if half > 0 {
		return true
	}
	for left := history; left > history/2; {
		oldest := slices.IndexFunc(c.entries, func(e entry) bool { return e.history })
		left -= c.entries[oldest].tokens
		c.entries = slices.Delete(c.entries, oldest, oldest+1)
	}
	return history > 0
}

// exceeds reports whether text has more than limit tokens.
func (c *conversation) exceeds(text string, limit int) bool {
	return len(text) > limit && (len(text) > limit*maxBytesPerToken || c.model.Tokens(text) > limit)
}

// maxBytesPerToken exceeds the average of any readable text, and bounds how much of a very long one is
// counted.
const maxBytesPerToken = 12

// cut returns text within limit tokens: its beginning and end, with a note of how many characters are
// missing.
func (c *conversation) cut(text string, limit int) string {
	limit = max(limit, 32)
	if !c.exceeds(text, limit) {
		return text
	}
	sample := text[:min(len(text), limit*maxBytesPerToken)]
	perToken := float64(len(sample)) / float64(c.model.Tokens(sample))
	for keep := min(len(text), int(perToken*float64(limit)*0.9)); ; keep = keep * 9 / 10 {
		shorter := headAndTail(text, keep)
		if keep < limit || c.model.Tokens(shorter) <= limit {
			return shorter
		}
	}
}

// headAndTail keeps three quarters of keep bytes from the beginning of text and the rest from its end.
func headAndTail(text string, keep int) string {
	if keep == len(text) {
		return text
	}
	head, tail := keep*3/4, len(text)-keep/4
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	missing := utf8.RuneCountInString(text[head:tail])
	note := fmt.Sprintf("[… %d characters left out here by Lens: the turn is too long to be read in full …]", missing)
	return text[:head] + "\n" + note + "\n" + text[tail:]
}
