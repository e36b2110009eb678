package chat

import (
	"strconv"
	"strings"

	"github.com/google/uuid"

	"lens/agent"
	"lens/tui/ui"
)

// Citations are opened by their number, or by a click.

// TypeNumber collects the digits of a citation and opens it, and reports whether the key was for that.
func (c *Chat) TypeNumber(key string) bool {
	number := c.number
	switch {
	case len(key) == 1 && key >= "0" && key <= "9" && len(number) < 4, key == "[" && number == "":
		c.number += key
		c.notify("Citation " + c.number + c.ui.Theme.Glyphs.Ellipsis + " enter opens it")
		return true
	case number != "" && (key == "enter" || key == "]"):
		c.number = ""
		if n, ok := citationNumber(number); ok {
			c.jump(n)
		}
		return true
	}
	if key != "esc" {
		c.number = ""
	}
	return false
}

// citationNumber reads "2" and "[2]".
func citationNumber(text string) (int, bool) {
	if inside, ok := strings.CutPrefix(text, "["); ok {
		text = strings.TrimSuffix(inside, "]")
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n > 0 && n < 1000
}

// jump opens the turn of a citation number.
func (c *Chat) jump(n int) {
	cited, ok := c.said.Cited(n)
	if !ok {
		c.notify("No citation [" + strconv.Itoa(n) + "]")
		return
	}
	c.open(cited)
}

// open opens the turn of a citation.
func (c *Chat) open(cited agent.Citation) {
	id, _ := uuid.Parse(cited.TurnID)
	c.ui.Post(ui.OpenTurn{ID: id, Focus: true})
}

// Click opens the citation at a cell, else focuses that part of the chat, in the input with the cursor there.
func (c *Chat) Click(x, y int) {
	if top := c.height - c.rows(); y >= top {
		c.Ask()
		c.question.Point(x, y-top, c.rows())
		return
	}
	c.ui.Post(OnAnswers)
	if cited, ok := c.said.At(x, y); ok {
		c.open(cited)
	}
}
