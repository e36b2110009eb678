package reader

import (
	"regexp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/tui/async"
	"lens/tui/dialog"
	"lens/tui/theme"
	"lens/tui/ui"
)

// Finding a text inside the conversation: its hits are marked in place of those of the search, and n and N go on in the
// next turn that has it.

// find is what one looks for.
type find struct {
	text    string         // "" for nothing
	pattern *regexp.Regexp // that finds it; nil for nothing
	in      uuid.UUID      // the conversation in which one looks
	asking  async.Latest[findKey]
	turns   *map[uuid.UUID]bool // of the conversation, on any branch, those that have it; nil: not known
	seeking bool                // the nearest turn that has it is to be opened, once it is known which have it
	landing int                 // where the page goes when it is drawn: 1: the next hit, -1: the last one of the turn
}

type findKey struct {
	conversation uuid.UUID
	text         string
}

// foundMsg delivers the turns that have a text.
type foundMsg struct {
	number int
	turns  []uuid.UUID
	err    error
}

// pattern returns a pattern that finds a text whatever its case and its white space, nil for none.
func pattern(text string) *regexp.Regexp {
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil
	}
	for i, word := range words {
		words[i] = regexp.QuoteMeta(word)
	}
	return regexp.MustCompile("(?i)" + strings.Join(words, `\s+`))
}

// IsFinding reports whether a text is looked for.
func (r *Reader) IsFinding() bool { return r.find.pattern != nil }

// Find looks for a text in the conversation that is open, "" for none.
func (r *Reader) Find(text string) {
	if text == r.find.text {
		return
	}
	r.find.text, r.find.pattern, r.find.turns, r.find.seeking = text, pattern(text), nil, false
	r.find.asking.Forget()
	if r.find.landing = 0; r.IsFinding() {
		r.find.landing = 1
	}
	if r.opened != nil {
		r.find.in = r.opened.Conversation
	}
}

// leaveFindElsewhere ends finding when a turn of another conversation is open.
func (r *Reader) leaveFindElsewhere() {
	if r.opened.Conversation != r.find.in {
		r.LeaveFind()
	}
}

// openFind asks for the text.
func (r *Reader) openFind() tea.Cmd {
	if r.opened == nil {
		r.ui.Post(ui.Notify("No turn to find in"))
		return nil
	}
	before := r.find.text
	r.ui.Post(dialog.Open{Dialog: dialog.NewLine(r.ui, dialog.LineOptions{
		Label:    "find",
		Hint:     "in this conversation",
		Text:     before,
		Changed:  r.Find,
		Accepted: r.seekFound,
		Canceled: r.LeaveFind,
		Remark:   r.findRemark,
	})})
	return nil
}

// seekFound goes to the nearest turn that has the text, unless the open one has it. Right after typing neither is
// known.
func (r *Reader) seekFound() {
	r.find.seeking = r.IsFinding()
	r.seekWhenKnown()
}

func (r *Reader) seekWhenKnown() {
	isDrawn := r.shown.turn == r.opened && r.shown.find == r.find.pattern
	isKnown := isDrawn && len(r.page.text.Hits) > 0 || isDrawn && r.find.turns != nil && r.place() >= 0
	if !r.find.seeking || !isKnown {
		return
	}
	r.find.seeking = false
	if len(r.page.text.Hits) == 0 && !r.findBeyond(1) && !r.findBeyond(-1) {
		r.ui.Post(ui.Notify(r.noFound()))
	}
}

// LeaveFind marks the words of the search again.
func (r *Reader) LeaveFind() { r.Find("") }

// findRemark counts the hits.
func (r *Reader) findRemark() string {
	if !r.IsFinding() {
		return ""
	}
	here := theme.Count(len(r.page.text.Hits), "line here", "lines here")
	if r.find.turns == nil || r.place() < 0 {
		return here
	}
	return r.ui.Theme.Remarks(here, theme.Count(r.foundOnPath(), "turn", "turns"))
}

// foundOnPath counts the turns that n and N lead to.
func (r *Reader) foundOnPath() (n int) {
	for _, t := range r.path.turns() {
		if (*r.find.turns)[t.TurnID] {
			n++
		}
	}
	return n
}

// requestFind asks which turns have the text.
func (r *Reader) requestFind() tea.Cmd {
	if r.opened == nil || !r.IsFinding() {
		return nil
	}
	key := findKey{r.opened.Conversation, r.find.text}
	source, wanted := r.source, r.find.pattern
	ctx, number, ok := r.find.asking.Ask(r.ui.Ctx, key, r.ui.Now())
	if !ok {
		return nil
	}
	return r.ui.Tasks.Command(func() tea.Msg {
		turns, err := source.FindIn(ctx, key.conversation, wanted)
		if ctx.Err() != nil {
			return nil
		}
		return foundMsg{number, turns, err}
	})
}

func (r *Reader) handleFound(msg foundMsg) {
	if !r.find.asking.Accept(msg.number) {
		return
	}
	if msg.err != nil {
		r.find.seeking = false
		r.ui.Post(ui.Failed{Doing: "finding in a conversation", Said: "Couldn't find in this conversation", Err: msg.err})
		return
	}
	turns := make(map[uuid.UUID]bool, len(msg.turns))
	for _, id := range msg.turns {
		turns[id] = true
	}
	r.find.turns = &turns
}

// land brings a hit into view after the page was drawn, if that is due.
func (r *Reader) land() {
	hits := r.page.text.Hits
	if r.find.landing == 0 || len(hits) == 0 {
		r.find.landing = 0
		return
	}
	to := hits[len(hits)-1]
	if r.find.landing > 0 {
		to = hits[0]
		if at := slices.IndexFunc(hits, func(hit int) bool { return hit >= r.page.Offset() }); at >= 0 {
			to = hits[at]
		}
	}
	r.find.landing = 0
	if to < r.page.Offset() || to >= r.page.Offset()+r.height {
		r.page.ScrollTo(to - r.height/3)
	}
}

// findBeyond goes to the next turn of the path that has the text, for -1 to the previous one. It reports whether there
// is one.
func (r *Reader) findBeyond(direction int) bool {
	at := r.place()
	if !r.IsFinding() || r.find.turns == nil || at < 0 {
		return false
	}
	for at += direction; at >= 0 && at < len(r.path.turns()); at += direction {
		if id := r.path.turns()[at].TurnID; (*r.find.turns)[id] {
			r.find.landing = direction
			r.turnTo(&id, "")
			return true
		}
	}
	return false
}

// noFound says that there is no further hit of the text.
func (r *Reader) noFound() string {
	switch text := r.ui.Theme.Quoted(ui.Line(r.find.text)); {
	case len(r.page.text.Hits) > 0:
	case r.find.turns == nil || len(*r.find.turns) == 0:
		return text + " isn't in this conversation"
	case r.place() >= 0 && r.foundOnPath() == 0:
		return "Only other branches have " + text
	}
	return "No more hits in this conversation"
}
