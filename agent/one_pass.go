package agent

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"lens/internal/errs"
)

// Limits of one pass: how many turns are read for a model that does not choose them, and how often half of them may be
// left out, so that some fit a context of 2,048 tokens.
const (
	maxOnePassTurns    = 8
	maxOnePassHalvings = 8
)

// halvings returns how often half of the evidence may be left out of one request.
func (r *run) halvings() int {
	if r.withoutTools {
		return maxOnePassHalvings
	}
	return 1
}

// onePass searches once for the question itself and reads the nearest turns, for a model that does not. What it said
// without them is dropped.
func (r *run) onePass(why string) phase {
	return func(ctx context.Context) phase {
		r.withdraw("aside")
		r.emit(Notice{Code: "one_pass", Message: onePassMessage(r.Model.Name(), why)})
		r.withoutTools = true
		r.conversation = newConversation(r.Request, r.conversation.marker)
		r.conversation.instruct(onePassPrompt(r.Request, r.conversation.marker))
		err := r.callDirectly(ctx, ToolPeek, r.search())
		if err == nil && len(r.found) > 0 {
			most := min(maxOnePassTurns, r.Budget.Turns, r.Budget.Calls, len(r.found))
			reads := make([]arguments, most)
			for i, id := range r.found[:most] {
				reads[i] = arguments{"turn_id": id}
			}
			before := len(r.conversation.entries)
			err = r.callDirectly(ctx, ToolTurn, reads...)
			slices.Reverse(r.conversation.entries[before:]) // the best one stays longest where room is short
		}
		if err != nil {
			return r.fail(ctx, err)
		}
		const instruction = "No more turns can be read. Answer my question from these, and cite them."
		r.conversation.add(Message{Role: User, Text: instruction})
		return r.synthesize
	}
}

// arguments are those of a call that the run makes itself.
type arguments map[string]string

func (a arguments) String() string {
	text, _ := json.Marshal(a) // strings always marshal
	return string(text)
}

// search returns the arguments of a search for the question as the person asked it, where a date means one.
func (r *run) search() arguments { return arguments{"query": r.question(), "dates": "soft"} }

// callDirectly makes calls for the model and adds the results as user messages, because a model without tools cannot
// read tool results either.
func (r *run) callDirectly(ctx context.Context, tool string, each ...arguments) error {
	if r.tools[tool] == nil {
		return &errs.Error{Code: errs.Invalid, Op: op, Message: "no such tool: " + tool, Err: errors.ErrUnsupported}
	}
	calls := make([]*toolRun, len(each))
	for i, given := range each {
		calls[i] = &toolRun{Call: Call{Name: tool, Arguments: given.String()}}
	}
	return r.runCalls(ctx, calls)
}

// putFindingsFirst puts the report of the search before an answer that cites nothing, and marks the model's words. It
// returns false if the search has no report.
func (r *run) putFindingsFirst() bool {
	if len(r.reports) == 0 {
		return false
	}
	const head = "The model's answer cites nothing, so this is what Lens found in the archive."
	r.answer = []byte(strings.Join([]string{head, r.reports[len(r.reports)-1], r.marked(string(r.answer))}, "\n\n"))
	return true
}

// marked returns an answer without evidence as a quotation of the model.
func (r *run) marked(answer string) string {
	quoted := strings.ReplaceAll(strings.TrimSpace(answer), "\n", "\n> ")
	return "What " + r.Model.Name() + " said, without evidence:\n\n> " + quoted
}
