package reader

import (
	"regexp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval"
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

// isOn reports whether a text is looked for.
func (f *find) isOn() bool { return f.pattern != nil }

// begin begins to look for a text in a conversation, "" for none.
func (f *find) begin(text string, in uuid.UUID) {
	f.text, f.pattern, f.in, f.turns, f.seeking = text, pattern(text), in, nil, false
	f.asking.Forget()
	if f.landing = 0; f.isOn() {
		f.landing = 1
	}
}

// request asks which turns of a conversation have the text.
func (f *find) request(c *ui.Context, source Source, conversation uuid.UUID) tea.Cmd {
	if !f.isOn() {
		return nil
	}
	wanted := f.pattern
	ctx, number, ok := f.asking.Ask(c.Ctx, findKey{conversation, f.text}, c.Now())
	if !ok {
		return nil
	}
	return c.Tasks.Command(func() tea.Msg {
		turns, err := source.FindIn(ctx, conversation, wanted)
		if ctx.Err() != nil {
			return nil
		}
		return foundMsg{number, turns, err}
	})
}

func (f *find) handle(c *ui.Context, msg foundMsg) {
	if !f.asking.Accept(msg.number) {
		return
	}
	if msg.err != nil {
		f.seeking = false
		c.Post(ui.Failed{Doing: "finding in a conversation", Said: "Couldn't find in this conversation", Err: msg.err})
		return
	}
	turns := make(map[uuid.UUID]bool, len(msg.turns))
	for _, id := range msg.turns {
		turns[id] = true
	}
	f.turns = &turns
}

// has reports whether a turn has the text, as far as that is known.
func (f *find) has(turn retrieval.PathTurn) bool { return f.turns != nil && (*f.turns)[turn.TurnID] }

// count counts the turns that have the text.
func (f *find) count(turns []retrieval.PathTurn) (n int) {
	for _, t := range turns {
		if f.has(t) {
			n++
		}
	}
	return n
}

// beyond returns the next turn after a place that has the text, for -1 the previous one, and nil for none.
func (f *find) beyond(turns []retrieval.PathTurn, at, direction int) *uuid.UUID {
	for at += direction; at >= 0 && at < len(turns); at += direction {
		if f.has(turns[at]) {
			return &turns[at].TurnID
		}
	}
	return nil
}

// land brings a hit into view after the page was drawn, if that is due.
func (f *find) land(p *page) {
	hits := p.text.Hits
	if f.landing == 0 || len(hits) == 0 {
		f.landing = 0
		return
	}
	to := hits[len(hits)-1]
	if f.landing > 0 {
		to = hits[0]
		if at := slices.IndexFunc(hits, func(hit int) bool { return hit >= p.Offset() }); at >= 0 {
			to = hits[at]
		}
	}
	f.landing = 0
	if to < p.Offset() || to >= p.Offset()+p.Height() {
		p.ScrollTo(to - p.Height()/3)
	}
}

// IsFinding reports whether a text is looked for.
func (r *Reader) IsFinding() bool { return r.find.isOn() }

// Find looks for a text in the conversation that is open, "" for none.
func (r *Reader) Find(text string) {
	if text == r.find.text {
		return
	}
	in := r.find.in
	if r.opened != nil {
		in = r.opened.Conversation
	}
	r.find.begin(text, in)
}

// LeaveFind marks the words of the search again.
func (r *Reader) LeaveFind() { r.Find("") }

// openFind asks for the text.
func (r *Reader) openFind() tea.Cmd {
	if r.opened == nil {
		r.ui.Post(ui.Notify("No turn to find in"))
		return nil
	}
	r.ui.Post(dialog.Open{Dialog: dialog.NewLine(r.ui, dialog.LineOptions{
		Label:    "find",
		Hint:     "in this conversation",
		Text:     r.find.text,
		Changed:  r.Find,
		Accepted: r.seekFound,
		Canceled: r.LeaveFind,
		Remark:   r.findRemark,
	})})
	return nil
}

// findRemark counts the hits.
func (r *Reader) findRemark() string {
	if !r.IsFinding() {
		return ""
	}
	here := theme.Count(len(r.page.text.Hits), "line here", "lines here")
	if r.find.turns == nil || r.place() < 0 {
		return here
	}
	return r.ui.Theme.Remarks(here, theme.Count(r.find.count(r.path.turns()), "turn", "turns"))
}

// hitsInView counts the hits in the open turn, and says which of them are in view: "hits 2–4 of 5"; "" for none.
func (r *Reader) hitsInView() string {
	hits := r.page.text.Hits
	all := len(hits)
	above, _ := slices.BinarySearch(hits, r.page.Offset())
	shown, _ := slices.BinarySearch(hits, r.page.Offset()+r.page.Height())
	switch {
	case all == 0:
		return ""
	case shown == above, above == 0 && shown == all:
		return theme.Count(all, "hit", "hits")
	case shown == above+1:
		return "hit " + theme.Number(shown) + " of " + theme.Number(all)
	}
	return "hits " + r.ui.Theme.Span(theme.Number(above+1), theme.Number(shown)) + " of " + theme.Number(all)
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

// findBeyond goes to the next turn of the path that has the text, for -1 to the previous one. It reports whether there
// is one.
func (r *Reader) findBeyond(direction int) bool {
	at := r.place()
	if !r.IsFinding() || at < 0 {
		return false
	}
	to := r.find.beyond(r.path.turns(), at, direction)
	if to != nil {
		r.find.landing = direction
		r.turnTo(*to)
	}
	return to != nil
}

// noFound says that there is no further hit of the text.
func (r *Reader) noFound() string {
	switch text := r.ui.Theme.Quoted(ui.Line(r.find.text)); {
	case len(r.page.text.Hits) > 0:
	case r.find.turns == nil || len(*r.find.turns) == 0:
		return text + " isn't in this conversation"
	case r.place() >= 0 && r.find.count(r.path.turns()) == 0:
		return "Only other branches have " + text
	}
	return "No more hits in this conversation"
}
