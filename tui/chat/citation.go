package chat

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"

	"lens/agent"
	"lens/tui/ui"
)

// citing opens the turns of citations: by a click, by their number, or the chosen one.
type citing struct {
	ui     *ui.Context
	in     *Transcript
	chosen int // the number of the chosen citation, 0 for none
}

// step chooses the next citation of the last answer that has some, for -1 the previous one.
func (c *citing) step(by int) {
	all := c.in.citations()
	if len(all) == 0 {
		c.ui.Post(ui.Notify("No sources"))
		return
	}
	at := slices.IndexFunc(all, func(one agent.Citation) bool { return one.N == c.chosen })
	switch {
	case at >= 0:
		at = (at + by + len(all)) % len(all)
	case by < 0:
		at = len(all) - 1
	default:
		at = 0
	}
	c.chosen = all[at].N
	c.ui.Post(ui.Notify(ansi.Strip(source(all[at], c.ui.Now().Location(), c.ui.Theme)) +
		" (" + c.ui.Key("chat.look-into") + " opens it)"))
}

// openChosen opens the chosen citation, and reports whether there is one.
func (c *citing) openChosen() bool {
	n := c.chosen
	if c.forget() {
		c.open(n)
	}
	return n > 0
}

// forget drops the choice, and reports whether there was one.
func (c *citing) forget() (some bool) {
	some = c.chosen > 0
	c.chosen = 0
	return some
}

// open opens the turn of a number.
func (c *citing) open(n int) {
	cited, ok := c.in.Cited(n)
	if !ok {
		c.ui.Post(ui.Notify("No source [" + strconv.Itoa(n) + "]"))
		return
	}
	c.openTurn(cited)
}

// openAt opens the turn of the citation at a cell, if there is one.
func (c *citing) openAt(x, y int) {
	if cited, ok := c.in.At(x, y); ok {
		c.openTurn(cited)
	}
}

func (c *citing) openTurn(cited agent.Citation) {
	id, _ := uuid.Parse(cited.TurnID)
	answer, _ := uuid.Parse(cited.AnswerID)
	c.ui.Post(ui.OpenTurn{ID: id, Answer: answer, Focus: true})
}

// citationNumber reads "2" and "[2]".
func citationNumber(text string) (int, bool) {
	if inside, ok := strings.CutPrefix(text, "["); ok {
		text = strings.TrimSuffix(inside, "]")
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n > 0 && n < 1000
}
