package chat

import (
	"strconv"
	"strings"

	"github.com/google/uuid"

	"lens/agent"
	"lens/tui/ui"
)

// citing opens the turns of citations, by a click or by their number.
type citing struct {
	ui    *ui.Context
	in    *Transcript
	typed string // the digits of a number so far
}

// press collects the digits of a number and opens that citation, and reports whether the key was for that.
func (c *citing) press(key string) bool {
	typed := c.typed
	switch {
	case len(key) == 1 && key >= "0" && key <= "9" && len(typed) < 4, key == "[" && typed == "":
		c.typed += key
		c.ui.Post(ui.Notify("Citation " + c.typed + c.ui.Theme.Glyphs.Ellipsis + " enter opens it"))
		return true
	case typed != "" && (key == "enter" || key == "]"):
		c.typed = ""
		if n, ok := citationNumber(typed); ok {
			c.open(n)
		}
		return true
	}
	if key != "esc" {
		c.typed = ""
	}
	return false
}

// forget drops the digits typed so far, and reports whether there were any.
func (c *citing) forget() (some bool) {
	some = c.typed != ""
	c.typed = ""
	return some
}

// open opens the turn of a number.
func (c *citing) open(n int) {
	cited, ok := c.in.Cited(n)
	if !ok {
		c.ui.Post(ui.Notify("No citation [" + strconv.Itoa(n) + "]"))
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
