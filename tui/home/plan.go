package home

import "slices"

// plan is where the parts of the page are: it follows from its size and from what there is to show.
type plan struct {
	wide     bool // two columns below the heat map
	left     int  // the column of the first cell of the map
	pitch    int  // columns of a cell of the map; 0: two cells share a column
	grain    grain
	rowLines int  // lines of a row: with what it was about, and with an empty line
	rows     span // those in view, by index
	edge     int  // the column after the last cell of the map or, where cells have no space between them, of the page
	air      int  // empty lines below a title
	gap      int  // empty lines below the map, beside that of its last row
	foot     int  // empty lines below all
	map0     int  // the line of the first row; what is above it names the columns, below the heading
	topics   block
	rest     bool // below the topics, how many turns are in chats of none
	moments  block
	hours    block
	weekdays bool // beside the hours
}

// span is the range [from, to).
type span struct{ from, to int }

func (s span) len() int { return s.to - s.from }

// block is a title with rows below it; no rows: not shown. The first rows may be scrolled out of it.
type block struct {
	x, y, width int
	head        int // lines of the title
	each        int // lines of a row
	rows, first int
}

// list returns the rows of n that a block shows in at most room lines, so that the chosen one is among them.
func (b *block) list(n, room, chosen int) {
	b.rows = max(0, min(n, room/b.each))
	b.first = max(0, min(chosen-b.rows+1, n-b.rows))
}

// row returns which row a cell belongs to, false for none.
func (b block) row(x, y int) (int, bool) {
	line := y - b.y - b.head
	return b.first + line/b.each, line >= 0 && line < b.rows*b.each && x >= b.x && x < b.x+b.width
}

const (
	margin     = 2 // left of everything
	nameWidth  = 6 // of the names left of the map
	hourRows   = 5 // of the bars of the hours, and below them a line with labels
	hourWidth  = 2 * 24
	dayRows    = 7                 // of the bars of the weekdays, beside those of the hours on a very wide page
	dayWidth   = 2*margin + 3 + 14 // with the names of the days
	wideFrom   = 112
	daysFrom   = 150
	footFrom   = 16 // lines
	mapAir     = 20 // an empty line above the map
	airFrom    = 35
	topicFoot  = 2 // empty lines more below topics
	airyTopics = 8 // from so many on, two of them matter less than air
	mapFrom    = margin + nameWidth

	// widestPitch leaves the days of a month as bricks that still belong together.
	widestPitch = 5

	// nearEdge is how far apart the ends of the map and of the page look like a mistake.
	nearEdge = 10
)

// The lines below the heat map that it leaves free: on a low page half of the lines, and under days those of the hours.
const (
	leastBelow     = 8
	leastGap       = 12 // with fewer, they are close to it
	leastBelowDays = 10
)

// hasDays reports whether the page has the width and the colors for a map of days.
func (p *Page) hasDays() bool {
	return p.width >= daysFrom && len(p.heat.rows) > 0 && !p.heat.byDay && !p.ui.Theme.Shaded
}

// plan places the parts. The row of the cursor is in view.
func (p *Page) plan() plan {
	l := plan{wide: p.width >= wideFrom, left: mapFrom, map0: 2, rowLines: 2}
	if p.height >= footFrom {
		l.foot = 1
	}
	if p.height >= mapAir {
		l.map0++
	}
	if p.height >= airFrom {
		l.air = 1
	}
	room, all := p.height-l.map0, len(p.heat.rows)
	if room-leastBelow >= 3*all && p.height >= 30 {
		l.rowLines = 3
	}
	if p.hasDays() && room-leastBelowDays >= (dayLines+2)*all {
		l.grain, l.rowLines = daily, dayLines+2
	}
	columns := p.heat.columns(l.grain)
	l.pitch = max(0, min((p.width-mapFrom)/columns, widestPitch))
	if l.left+columns*l.pitch == p.width && l.pitch == 1 { // nothing is in the last column
		l.left--
	}
	if l.edge = p.width - margin; l.pitch > 1 {
		l.edge = l.left + columns*l.pitch - 1
	}
	room -= min(leastBelow, room/2)
	if over := l.rowLines*all - room; p.height >= mapAir && 0 < over && over <= l.rowLines { // it would be hidden alone
		room += over
	}
	l.rows.to = len(p.heat.rows)
	l.rows.from = max(0, l.rows.to-max(1, room/l.rowLines))
	for at := p.heat.index(p.cursor.part.row); at < l.rows.from; {
		l.rows.from, l.rows.to = l.rows.from-1, l.rows.to-1
	}
	below := l.map0 + l.rows.len()*l.rowLines
	if l.rowLines == 2 { // else each row has an empty line
		below++
	} else if l.air > 0 && p.height-below > leastGap {
		l.gap, below = 1, below+1
	}
	p.planBelow(&l, below)
	return l
}

// planBelow places what is below the heat map, from line y on.
func (p *Page) planBelow(l *plan, y int) {
	room := p.height - y
	width := p.width - 2*margin
	side, hours := hourWidth, hourRows
	if p.width >= daysFrom {
		side, hours = hourWidth+dayWidth, dayRows-1 // the last one is beside the labels of the hours
	}
	right := block{x: p.width - 2*margin - side, width: margin + side, head: 1 + l.air}
	if p.width < daysFrom && p.width-l.edge <= nearEdge { // both halves of the page end alike
		right.x = l.edge - right.width + 1
	}
	if l.wide {
		width = right.x - 2*margin + 1
	}
	lines, moments := room-l.foot-hours-l.air-3, len(p.read.moments) // with one that is not there
	if hours == hourRows && (lines == moments || lines == 2*moments+l.air) {
		hours-- // and no moment, or no question
	}
	l.topics = block{x: margin, y: y, width: width, head: 1 + l.air, each: 1}
	lines = room - l.topics.head - l.foot
	inView := len(p.read.topics.Topics) <= lines // all of them
	if l.air > 0 && p.width < daysFrom && !inView && lines >= airyTopics {
		lines -= topicFoot
	}
	l.topics.list(len(p.read.topics.Topics), lines, p.rowIn(inTopics))
	l.rest = p.hasRest(&l.topics, room-l.topics.head-l.foot, l.wide)
	l.moments = block{x: margin, width: width, head: 1, each: 1}
	if l.wide {
		l.hours = right
		if l.hours.y = y; room >= hours+l.air+2 {
			l.hours.rows, l.weekdays = hours, p.width >= daysFrom
		}
		l.moments = right
		l.moments.y, l.moments.head, l.moments.each = y+l.air+hours+3, 1, 1
		if !l.weekdays {
			l.moments.width-- // as far as the bar of the last hour
		}
	} else if room > len(p.read.topics.Topics)+l.topics.head+2 {
		l.moments.y = l.topics.y + l.topics.head + l.topics.rows + 1
		if l.rest {
			l.moments.y++
		}
	} else {
		return
	}
	free := p.height - l.moments.y - l.moments.head - l.foot
	if free >= 2*len(p.read.moments) && slices.ContainsFunc(p.read.moments, moment.isAsked) {
		l.moments.each = 2
	}
	if free-l.air >= l.moments.each*len(p.read.moments) {
		l.moments.head, free = l.moments.head+l.air, free-l.air
	}
	l.moments.list(len(p.read.moments), free, p.rowIn(inMoments))
}

// hasRest reports whether the turns in chats of no topic have a line: below all topics, and where what follows loses
// nothing by it.
func (p *Page) hasRest(topics *block, room int, wide bool) bool {
	if !wide {
		room -= 2 + len(p.read.moments)
	}
	return p.read.topics.Rest() > 0 && topics.rows == len(p.read.topics.Topics) && topics.rows < room
}

// rowIn returns the row of the cursor in a section, 0 if it is in another one.
func (p *Page) rowIn(s section) int {
	if p.cursor.section != s {
		return 0
	}
	return p.cursor.row
}
