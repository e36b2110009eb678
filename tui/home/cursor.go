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
	inQuarters section = iota
	inTopics
	inEarlier
)

// cursor is what enter looks into.
type cursor struct {
	section section
	quarter quarter // also while another section has the cursor
	row     int     // of the topics or the earlier weeks
	moved   bool    // by the user: it stays when the archive grows
}

// Commands returns what the page can do while it has the focus.
func (p *Page) Commands() []ui.Command {
	return []ui.Command{
		ui.Hinted("previous-quarter", "h left", "quarter", ui.Do(func() { p.sideways(-1) })),
		ui.Hinted("next-quarter", "l right", "quarter", ui.Do(func() { p.sideways(1) })),
		ui.Hinted("down", "j down", "year, topic", ui.Do(func() { p.move(1) })),
		ui.Hinted("up", "k up", "year, topic", ui.Do(func() { p.move(-1) })),
		ui.On("first", "g home", "first/last", ui.Do(func() { p.toEnd(0) })),
		ui.On("last", "G end", "first/last", ui.Do(func() { p.toEnd(-1) })),
		ui.Hinted("look-into", "enter", "look into it", ui.Do(p.enter)),
	}
}

// sideways moves by quarters, or between the columns below the heat map.
func (p *Page) sideways(by int) {
	p.cursor.moved = true
	switch l := p.plan(); {
	case p.cursor.section == inQuarters:
		all := p.quarters()
		if at := slices.Index(all, p.cursor.quarter) + by; at >= 0 && at < len(all) {
			p.cursor.quarter = all[at]
		}
	case p.cursor.section == inTopics && by > 0 && l.wide && l.earlier.rows > 0:
		p.cursor.section, p.cursor.row = inEarlier, 0
	case p.cursor.section == inEarlier && by < 0 && l.wide && l.topics.rows > 0:
		p.cursor.section, p.cursor.row = inTopics, 0
	}
}

// move moves down by years, then by the rows below.
func (p *Page) move(by int) {
	p.cursor.moved = true
	if p.cursor.section == inQuarters {
		p.moveYear(by)
		return
	}
	l := p.plan()
	row, rows := p.cursor.row+by, len(p.read.topics.Topics)
	if p.cursor.section == inEarlier {
		rows = len(p.read.earlier)
	}
	switch {
	case row >= 0 && row < rows:
		p.cursor.row = row
	case row < 0 && p.cursor.section == inEarlier && !l.wide && l.topics.rows > 0:
		p.cursor.section, p.cursor.row = inTopics, len(p.read.topics.Topics)-1
	case row < 0:
		p.cursor.section, p.cursor.row = inQuarters, 0
	case p.cursor.section == inTopics && !l.wide && l.earlier.rows > 0:
		p.cursor.section, p.cursor.row = inEarlier, 0
	}
}

// keepCursor moves the cursor to what is on the page, after that has changed.
func (p *Page) keepCursor() {
	p.cursor.quarter = p.nearest(p.cursor.quarter)
	shown, rows := 1, 1
	switch l := p.plan(); p.cursor.section {
	case inTopics:
		shown, rows = l.topics.rows, len(p.read.topics.Topics)
	case inEarlier:
		shown, rows = l.earlier.rows, len(p.read.earlier)
	}
	if p.cursor.row = max(0, min(p.cursor.row, rows-1)); shown == 0 {
		p.cursor.section, p.cursor.row = inQuarters, 0
	}
}

// moveYear moves to the same quarter of another year, and from the last year to the rows below.
func (p *Page) moveYear(by int) {
	at := p.yearIndex() + by
	if at >= len(p.years) {
		switch l := p.plan(); {
		case l.topics.rows > 0:
			p.cursor.section, p.cursor.row = inTopics, 0
		case l.earlier.rows > 0:
			p.cursor.section, p.cursor.row = inEarlier, 0
		}
		return
	}
	if at < 0 {
		return
	}
	p.cursor.quarter = p.nearest(quarter{p.years[at].number, p.cursor.quarter.of})
}

// nearest returns the quarter of the archive that is nearest to q.
func (p *Page) nearest(q quarter) quarter {
	all := p.quarters()
	if len(all) == 0 {
		return q
	}
	at, _ := slices.BinarySearchFunc(all, q, func(x, y quarter) int { return 4*(x.year-y.year) + x.of - y.of })
	return all[min(at, len(all)-1)]
}

// toEnd moves to the first or the last quarter.
func (p *Page) toEnd(at int) {
	if all := p.quarters(); len(all) > 0 {
		p.cursor = cursor{quarter: all[(at+len(all))%len(all)], moved: true}
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
	case inEarlier:
		if p.cursor.row < len(p.read.earlier) {
			p.ui.Post(LookInto{spanOf(p.read.earlier[p.cursor.row].Window)})
		}
	case inQuarters:
		if len(p.years) > 0 {
			p.ui.Post(LookInto{spanOf(p.cursor.quarter.window())})
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
	} else if row, ok := l.earlier.row(x, y); ok {
		at.section, at.row = inEarlier, row
	} else if q, ok := p.quarterAt(l, x, y); ok {
		at.section, at.quarter = inQuarters, q
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

// quarterAt returns the quarter at a cell of the heat map.
func (p *Page) quarterAt(l plan, x, y int) (quarter, bool) {
	i := l.years.from + (y-l.map0)/l.yearRows
	if y < l.map0 || i >= l.years.to || x < mapFrom {
		return quarter{}, false
	}
	for _, q := range p.quarters() {
		from, to := q.weeks()
		if q.year == p.years[i].number && x >= mapFrom+l.column(from) && x < mapFrom+l.column(to) {
			return q, true
		}
	}
	return quarter{}, false
}

// Scroll moves the cursor by rows.
func (p *Page) Scroll(n int) {
	for range max(n, -n) {
		p.move(n / max(n, -n))
	}
}
