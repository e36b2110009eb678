package home

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"lens/tui/ui"
)

// section is a part of the page that the cursor can be in.
type section int

const (
	inMap section = iota
	inTopics
	inMoments
)

// cursor is what enter looks into.
type cursor struct {
	section section
	part    part // also while another section has the cursor
	row     int  // of the topics or the earlier weeks
	moved   bool // by the user: it stays when the archive grows
}

// Commands returns what the page can do while it has the focus.
func (p *Page) Commands() []ui.Command {
	return []ui.Command{
		ui.Hinted("previous-bin", "h left", sidewaysWords, ui.Do(func() { p.sideways(-1) })).Saying(p.saysSideways(-1)),
		ui.Hinted("next-bin", "l right", sidewaysWords, ui.Do(func() { p.sideways(1) })).Saying(p.saysSideways(1)),
		ui.Hinted("down", "j down", "row", ui.Do(func() { p.move(1) })),
		ui.Hinted("up", "k up", "row", ui.Do(func() { p.move(-1) })),
		ui.On("first", "g home", "first/last", ui.Do(func() { p.toEnd(0) })),
		ui.On("last", "G end", "first/last", ui.Do(func() { p.toEnd(-1) })),
		ui.Hinted("look-into", "enter", "look into it", ui.Do(p.enter)),
	}
}

// sidewaysWords describe the keys that move by parts of the map.
const sidewaysWords = "earlier/later"

// saysSideways says where sideways leads now, "" for nowhere.
func (p *Page) saysSideways(by int) func() string {
	return func() string {
		switch to := p.beside(by); {
		case p.cursor.section == inMap:
			return sidewaysWords
		case to == p.cursor.section:
			return ""
		case to == inTopics:
			return "topics"
		}
		return strings.ToLower(p.read.momentsAre)
	}
}

// beside returns the section that sideways leads to: below the heat map, that in the other column.
func (p *Page) beside(by int) section {
	switch l := p.plan(); {
	case p.cursor.section == inTopics && by > 0 && l.wide && l.moments.rows > 0:
		return inMoments
	case p.cursor.section == inMoments && by < 0 && l.wide && l.topics.rows > 0:
		return inTopics
	}
	return p.cursor.section
}

// sideways moves by parts of the map, or between the columns below the heat map.
func (p *Page) sideways(by int) {
	p.cursor.moved = true
	if p.cursor.section == inMap {
		all := p.heat.parts()
		if at := slices.Index(all, p.cursor.part) + by; at >= 0 && at < len(all) {
			p.cursor.part = all[at]
		}
	} else if to := p.beside(by); to != p.cursor.section {
		p.cursor.section, p.cursor.row = to, 0
	}
}

// move moves down by rows of the map, then by the rows below.
func (p *Page) move(by int) {
	p.cursor.moved = true
	if p.cursor.section == inMap {
		p.moveRow(by)
		return
	}
	l := p.plan()
	row, rows := p.cursor.row+by, len(p.read.topics.Topics)
	if p.cursor.section == inMoments {
		rows = len(p.read.moments)
	}
	switch {
	case row >= 0 && row < rows:
		p.cursor.row = row
	case row < 0 && p.cursor.section == inMoments && !l.wide && l.topics.rows > 0:
		p.cursor.section, p.cursor.row = inTopics, len(p.read.topics.Topics)-1
	case row < 0:
		p.cursor.section, p.cursor.row = inMap, 0
	case p.cursor.section == inTopics && !l.wide && l.moments.rows > 0:
		p.cursor.section, p.cursor.row = inMoments, 0
	}
}

// keepCursor moves the cursor to what is on the page, after that has changed. A hidden page keeps its section.
func (p *Page) keepCursor() {
	p.cursor.part = p.heat.nearest(p.cursor.part)
	shown, rows := 1, 1
	switch l := p.plan(); p.cursor.section {
	case inTopics:
		shown, rows = l.topics.rows, len(p.read.topics.Topics)
	case inMoments:
		shown, rows = l.moments.rows, len(p.read.moments)
	}
	if p.cursor.row = max(0, min(p.cursor.row, rows-1)); shown == 0 && p.height > 0 {
		p.cursor.section, p.cursor.row = inMap, 0
	}
}

// moveRow moves to the same part of another row of the map, and from the last to the rows below.
func (p *Page) moveRow(by int) {
	at := p.heat.index(p.cursor.part.row) + by
	if at >= len(p.heat.rows) {
		switch l := p.plan(); {
		case l.topics.rows > 0:
			p.cursor.section, p.cursor.row = inTopics, 0
		case l.moments.rows > 0:
			p.cursor.section, p.cursor.row = inMoments, 0
		}
		return
	}
	if at < 0 {
		return
	}
	p.cursor.part = p.heat.nearest(part{p.heat.rows[at].number, p.cursor.part.of})
}

// toEnd moves to the first or the last part.
func (p *Page) toEnd(at int) {
	if all := p.heat.parts(); len(all) > 0 {
		p.cursor = cursor{part: all[(at+len(all))%len(all)], moved: true}
	}
}

// enter looks into what is under the cursor.
func (p *Page) enter() {
	switch p.cursor.section {
	case inTopics:
		if p.cursor.row < len(p.read.topics.Topics) {
			topic := &p.read.topics.Topics[p.cursor.row]
			p.ui.Post(Topic{cmp.Or(strings.Join(topic.Words, " "), strconv.Itoa(topic.ID))})
		}
	case inMoments:
		if p.cursor.row < len(p.read.moments) {
			p.ui.Post(LookInto{Window: spanOf(p.read.moments[p.cursor.row].Window), Lists: true})
		}
	case inMap:
		if len(p.heat.rows) > 0 {
			p.ui.Post(LookInto{Window: spanOf(p.heat.window(p.cursor.part))})
		}
	}
}

// Click moves the cursor to what is at a cell, and looks into it if the cursor is there.
func (p *Page) Click(x, y int) (decides bool) {
	x -= p.left
	l, at := p.plan(), p.cursor
	at.moved = true
	if row, ok := l.topics.row(x, y); ok {
		at.section, at.row = inTopics, row
	} else if row, ok := l.moments.row(x, y); ok {
		at.section, at.row = inMoments, row
	} else if part, ok := p.partAt(l, x, y); ok {
		at.section, at.part = inMap, part
	} else {
		return false
	}
	before := p.cursor
	before.moved = true
	if p.cursor = at; at == before && p.focused {
		p.enter()
	}
	return false
}

// partAt returns the part at a cell of the heat map.
func (p *Page) partAt(l plan, x, y int) (part, bool) {
	i := l.rows.from + (y-l.map0)/l.rowLines
	if y < l.map0 || i >= l.rows.to || x < l.left {
		return part{}, false
	}
	for _, at := range p.heat.parts() {
		from, to := p.heat.columnsOfPart(at, l.grain)
		if at.row == p.heat.rows[i].number && x >= l.left+l.column(from) && x < l.left+l.column(to) {
			return at, true
		}
	}
	return part{}, false
}

// Scroll moves the cursor by rows.
func (p *Page) Scroll(n int) {
	for range max(n, -n) {
		p.move(n / max(n, -n))
	}
}
