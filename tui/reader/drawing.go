package reader

import (
	"regexp"
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/internal/lru"
	"lens/retrieval"
	"lens/tui/async"
	"lens/tui/marks"
	"lens/tui/theme"
	"lens/tui/turn"
	"lens/tui/ui"
)

// drawing is all that the rendering of a turn depends on.
type drawing struct {
	turn  *retrieval.Turn
	width int
	theme theme.Name
	raw   bool
	zone  *time.Location
	words *retrieval.Words
	find  *regexp.Regexp // marked instead of the words
}

// hits returns the cells of a line that hold words of the query, or what one finds.
func (d drawing) hits(line string) [][2]int {
	if d.find != nil {
		return marks.Match(d.find, line)
	}
	return marks.Find(d.words, line)
}

// drawings are the latest renderings. One takes tens of milliseconds if the turn has much code.
type drawings struct {
	drawn  lru.Cache[drawing, turn.Text]
	asking async.Latest[drawing]
}

// drawnMsg delivers a rendered turn.
type drawnMsg struct {
	number int
	of     drawing
	text   turn.Text
}

// request returns a rendering that is known, else a command that makes it.
func (d *drawings) request(c *ui.Context, wanted drawing) (_ turn.Text, known bool, _ tea.Cmd) {
	if text, ok := d.drawn.Get(wanted); ok {
		d.asking.Forget()
		return text, true, nil
	}
	ctx, number, ok := d.asking.Ask(c.Ctx, wanted, c.Now())
	if !ok {
		return turn.Text{}, false, nil
	}
	th := c.Theme
	how := turn.Options{Width: wanted.width, Zone: wanted.zone, Raw: wanted.raw, Hits: wanted.hits}
	return turn.Text{}, false, c.Tasks.Command(func() tea.Msg {
		if ctx.Err() != nil {
			return nil
		}
		return drawnMsg{number, wanted, turn.Render(wanted.turn, how, th)}
	})
}

func (d *drawings) handle(msg drawnMsg) {
	if d.asking.Accept(msg.number) {
		d.drawn.Put(msg.of, msg.text)
	}
}

// requestPage shows the turn as it is to be drawn now, or asks for that.
func (r *Reader) requestPage() tea.Cmd {
	if r.width <= 0 {
		return nil
	}
	if r.showsStored() {
		r.stored.lay(&r.page, r.width)
	}
	if r.opened == nil {
		return nil
	}
	wanted := drawing{r.opened, divide(r.width).prose, r.ui.Theme.Name, r.raw, r.ui.Zone, r.words, r.find.pattern}
	if wanted == r.shown {
		return nil
	}
	text, known, cmd := r.drawings.request(r.ui, wanted)
	if known {
		r.page.show(text, r.shown.turn != nil && wanted.turn.TurnID == r.shown.turn.TurnID)
		r.shown = wanted
		r.find.land(&r.page)
	}
	return cmd
}
