package documents

import (
	"math"
	"strings"
)

// page collects the text of a page in the order in which it is drawn. Only positions tell where lines and words end.
type page struct {
	words strings.Builder
	fonts map[string]*font

	font    *font   // nil: unknown
	size    float64 // of the font
	leading float64

	ctm, lineMatrix transform   // current transformation matrix, and the text line matrix
	saved           []transform // stack of ctm
	lastX, lastY    float64     // where the last text ended
	lastXKnown      bool        // false if the width of some letter is unknown
	drawn           bool
}

// transform is the part of a transformation matrix that matters here: scale and offset.
type transform struct{ sx, sy, x, y float64 }

var origin = transform{sx: 1, sy: 1}

func (p transform) apply(x, y float64) (float64, float64) { return p.x + x*p.sx, p.y + y*p.sy }

// maxSaved bounds the stack of saved states.
const maxSaved = 1000

// execute executes one operator.
func (g *page) execute(operator string, args []operand) {
	if !g.setState(operator, args) && len(args) > 0 {
		g.showText(operator, args)
	}
}

// number returns an argument, 0 if it is missing.
func number(args []operand, i int) float64 {
	if i >= len(args) {
		return 0
	}
	return args[i].number
}

// setState executes an operator that sets the position or size of text (ISO 32000-1, 8.4 and 9.4.2); false for any
// other.
func (g *page) setState(operator string, args []operand) bool {
	switch operator {
	case "q":
		if len(g.saved) < maxSaved {
			g.saved = append(g.saved, g.ctm)
		}
	case "Q":
		if n := len(g.saved); n > 0 {
			g.ctm, g.saved = g.saved[n-1], g.saved[:n-1]
		}
	case "cm":
		x, y := g.ctm.apply(number(args, 4), number(args, 5))
		g.ctm = transform{g.ctm.sx * number(args, 0), g.ctm.sy * number(args, 3), x, y}
	case "BT":
		g.lineMatrix = origin
	case "Tf":
		if len(args) == 2 {
			g.font, g.size = g.fonts[args[0].text], args[1].number
		}
	case "TL":
		g.leading = number(args, 0)
	case "Td":
		g.move(number(args, 0), number(args, 1))
	case "TD":
		g.leading = -number(args, 1)
		g.move(number(args, 0), number(args, 1))
	case "Tm":
		g.lineMatrix = transform{number(args, 0), number(args, 3), number(args, 4), number(args, 5)}
		if g.lineMatrix.sx == 0 && g.lineMatrix.sy == 0 { // rotated by a right angle: treat it as upright
			g.lineMatrix.sx, g.lineMatrix.sy = 1, 1
		}
	case "T*":
		g.move(0, -g.leading)
	default:
		return false
	}
	return true
}

func (g *page) move(dx, dy float64) { g.lineMatrix.x, g.lineMatrix.y = g.lineMatrix.apply(dx, dy) }

// showText executes an operator that shows text (9.4.3).
func (g *page) showText(operator string, args []operand) {
	switch operator {
	case "'", "\"":
		g.move(0, -g.leading)
		g.show(args[len(args)-1])
	case "Tj":
		g.show(args[0])
	case "TJ":
		g.showAll(args[0])
	}
}

// showAll shows the strings of a list. Between them are moves in thousandths of the font size: a wide one separates
// words.
func (g *page) showAll(list operand) {
	const wide = -180
	g.separate()
	for _, v := range list.list {
		switch v.kind {
		case isString:
			g.write(v.text)
		case isNumber:
			g.lastX -= v.number / 1000 * g.width()
			if v.number < wide {
				g.blank()
			}
		}
	}
}

func (g *page) show(v operand) {
	g.separate()
	g.write(v.text)
}

// width returns the width on the page of a letter that is as wide as the font size.
func (g *page) width() float64 { return math.Abs(g.size * g.lineMatrix.sx * g.ctm.sx) }

// separate writes what the distance from the last text means: nothing, a space, a line break, or a new paragraph.
func (g *page) separate() {
	x, y := g.ctm.apply(g.lineMatrix.x, g.lineMatrix.y)
	height := max(math.Abs(g.size*g.lineMatrix.sy*g.ctm.sy), 1)
	switch down := math.Abs(y - g.lastY); {
	case !g.drawn:
	case down > 1.9*height:
		g.words.WriteString("\n\n")
	case down > 0.4*height:
		g.words.WriteByte('\n')
	case !g.lastXKnown, math.Abs(x-g.lastX) > 0.15*height:
		g.blank()
	}
	g.drawn, g.lastX, g.lastY = true, x, y
}

// write adds the text of a string of codes.
func (g *page) write(codes string) {
	s := codes
	if g.lastXKnown = g.font != nil; g.lastXKnown {
		s = g.font.decode(codes)
		wide, known := g.font.width(codes)
		g.lastXKnown = known
		g.lastX += wide / 1000 * g.width()
	}
	g.words.WriteString(s)
}

func (g *page) blank() {
	if s := g.words.String(); s != "" && !strings.HasSuffix(s, " ") && !strings.HasSuffix(s, "\n") {
		g.words.WriteByte(' ')
	}
}
