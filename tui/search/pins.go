package search

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/tui/async"
	"lens/tui/ui"
)

// Pin is a query to compare, and its label.
type Pin struct {
	Search
	Name string
}

// MaxPins is how many queries can be pinned: with the current one, as many as the engine compares.
const MaxPins = 9

// Pins are the queries to compare with the current one, at most MaxPins. Their results are searched for while
// they are shown.
type Pins struct {
	finder *Finder
	pins   []Pin
	shown  bool
	asked  [MaxPins]async.Latest[Key]
}

// Pins returns the queries to compare.
func (f *Finder) Pins() *Pins { return &f.pins }

// All returns the pins in order.
func (p *Pins) All() []Pin { return p.pins }

// Set replaces the pins, as far as there is room.
func (p *Pins) Set(pins []Pin) { p.pins = pins[:min(len(pins), MaxPins)] }

// Show says whether the results are needed.
func (p *Pins) Show(shown bool) { p.shown = shown }

// Toggle pins or unpins a query, and says so. done is false if there is no room or nothing to pin.
func (p *Pins) Toggle(pin Pin) (notice string, pinned, done bool) {
	at := slices.IndexFunc(p.pins, func(known Pin) bool { return known.Search == pin.Search })
	switch {
	case !pin.IsSomething():
		return "No query to pin. Search first", false, false
	case at >= 0:
		p.pins = slices.Delete(slices.Clone(p.pins), at, at+1)
		return "Unpinned", false, true
	case len(p.pins) == MaxPins:
		return p.Full(), false, false
	}
	p.pins = append(slices.Clip(p.pins), pin)
	next := p.finder.ui.Key("histogram.next-chart")
	return p.finder.ui.Theme.Remarks(fmt.Sprintf("%d pinned", len(p.pins)), next+" changes the chart"), true, true
}

// Has reports whether a query is pinned.
func (p *Pins) Has(s Search) bool {
	return slices.ContainsFunc(p.pins, func(known Pin) bool { return known.Search == s })
}

// Full says that there is no room for another query, and which key lists those that could go.
func (p *Pins) Full() string {
	return fmt.Sprintf("%d of %d pinned (%s lists them)", len(p.pins), MaxPins, p.finder.ui.Key("pinned"))
}

// Read returns the query that a text means in a mode, or says why it cannot be pinned: it has nothing to rank, is
// wrong, or names a window, which is that of the chart.
func (p *Pins) Read(text string, mode query.Mode) (pin Pin, refusal string) {
	q, _, err := query.Parse(text, p.finder.ui.Now())
	if err == nil {
		err = Refusal(q, uuid.Nil)
	}
	q.Mode = mode
	pin = Pin{Of(q, uuid.Nil), text}
	switch {
	case err != nil:
		return Pin{}, RemarkOn(err).Full()
	case !q.Filter.Since.IsZero() || !q.Filter.Until.IsZero():
		return Pin{}, "All rows have the window of the chart"
	case !pin.IsSomething():
		return Pin{}, "Type words to compare"
	}
	return pin, ""
}

// key returns the request for a pin: it is searched for in the same window as the query.
func (p *Pins) key(pin Pin) Key { return Key{Search: pin.Search, Window: p.finder.wanted.Window} }

// Results returns the results of the pins in order; those without a result yet have no Peek.
func (p *Pins) Results() []Result {
	all := make([]Result, len(p.pins))
	for i, pin := range p.pins {
		all[i], _ = p.finder.results.Get(p.key(pin))
	}
	return all
}

// requests asks for the results that are shown and not known.
func (p *Pins) requests() tea.Cmd {
	var cmds []tea.Cmd
	for i := range p.asked {
		asked := &p.asked[i]
		if !p.shown || i >= len(p.pins) {
			asked.Forget()
			continue
		}
		f, key := p.finder, p.key(p.pins[i])
		if known, ok := f.results.Get(key); ok && (!known.IsPartial() || key == f.wanted.Key) {
			asked.Forget()
			continue
		}
		if ctx, number, ok := asked.Ask(f.ui.Ctx, key, f.ui.Now()); ok {
			cmds = append(cmds, f.find(ctx, key, false, false, 0, func(r Result, err error) tea.Msg {
				return pinnedMsg{foundMsg{number, r, err}, i}
			}))
		}
	}
	return tea.Batch(cmds...)
}

// pinnedMsg delivers the result of a pin.
type pinnedMsg struct {
	foundMsg
	at int
}

// handle stores the result of a pin. A failed one is drawn empty and reported.
func (p *Pins) handle(msg pinnedMsg) {
	switch {
	case !p.asked[msg.at].Accept(msg.number):
	case msg.err != nil:
		p.finder.ui.Post(ui.Failed{Doing: "comparing", Said: "Couldn't compare", Err: msg.err})
	default:
		p.finder.keep(msg.result)
	}
}
