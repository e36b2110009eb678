//go:build system

package main

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// frame is a screen with its escape sequences, and how long it lasts.
type frame struct {
	lines []string
	lasts time.Duration
}

// The size of a cell in pixels, and of a screen in cells.
const (
	cellWidth   = 8
	cellHeight  = 17
	filmColumns = 120
)

const (
	filmInk    = "#c8cad8"
	filmFaint  = "#7d8296"
	filmGround = "#16161e"
)

// film is an SVG of frames. Of each line, what is the same in several frames is drawn once.
type film struct {
	styles []string  // of CSS, by the numbers of their classes
	shown  []showing // frames [from, to), by the numbers of their classes
	body   strings.Builder
}

type showing struct{ from, to int }

// drawFilm draws frames that follow each other for ever, or one frame.
func drawFilm(frames []frame) string {
	f := &film{}
	rows := 0
	for i := range frames {
		rows = max(rows, len(frames[i].lines))
	}
	for y := range rows {
		for from := 0; from < len(frames); {
			line, to := frames[from].line(y), from+1
			for to < len(frames) && frames[to].line(y) == line {
				to++
			}
			f.draw(line, y, showing{from, to}, len(frames))
			from = to
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="13" xml:space="preserve"><style>text{white-space:pre;fill:%s}`,
		(filmColumns+2)*cellWidth, (rows+1)*cellHeight, filmInk)
	for i, style := range f.styles {
		fmt.Fprintf(&out, ".s%d{%s}", i, style)
	}
	f.animate(&out, frames)
	fmt.Fprintf(&out, `</style><rect width="100%%" height="100%%" rx="6" fill="%s"/>`+"\n%s</svg>\n", filmGround, f.body.String())
	return out.String()
}

func (f *frame) line(y int) string {
	if y < len(f.lines) {
		return f.lines[y]
	}
	return ""
}

// animate writes when the groups of lines are shown.
func (f *film) animate(out *strings.Builder, frames []frame) {
	var ends []time.Duration
	all := time.Duration(0)
	for i := range frames {
		all += frames[i].lasts
		ends = append(ends, all)
	}
	for i, s := range f.shown {
		from := 0.0
		if s.from > 0 {
			from = 100 * float64(ends[s.from-1]) / float64(all)
		}
		to := 100 * float64(ends[s.to-1]) / float64(all)
		fmt.Fprintf(out, ".f%d{animation:f%d %.1fs step-end infinite}@keyframes f%d{", i, i, all.Seconds(), i)
		if s.from > 0 {
			out.WriteString("0%{opacity:0}")
		}
		fmt.Fprintf(out, "%.2f%%{opacity:1}", from)
		if s.to < len(frames) {
			fmt.Fprintf(out, "%.2f%%{opacity:0}", to)
		}
		out.WriteString("100%{opacity:0}}")
	}
}

// draw draws a line of the frames s out of n.
func (f *film) draw(line string, y int, s showing, n int) {
	if strings.TrimSpace(ansi.Strip(line)) == "" && !strings.Contains(line, "\x1b[48") {
		return
	}
	if s.to-s.from < n {
		fmt.Fprintf(&f.body, `<g class="f%d">`, numberOf(&f.shown, s))
		defer f.body.WriteString("</g>")
	}
	f.drawLine(line, y)
	f.body.WriteByte('\n')
}

// drawLine draws runs of cells of one style. Block characters become boxes, so that they join.
func (f *film) drawLine(line string, y int) {
	const blocks = "▁▂▃▄▅▆▇█"
	var text strings.Builder
	p, x, from, block := pen{}, 1, 1, ""
	flush := func() {
		if block != "" {
			f.box(p, from, x, y, float64(strings.Index(blocks, block)/3+1)/8)
		} else {
			f.text(p, text.String(), from, x, y)
		}
		text.Reset()
		from, block = x, ""
	}
	for line != "" {
		seq, width, n, _ := ansi.DecodeSequence(line, ansi.NormalState, nil)
		line = line[n:]
		isBlock := width == 1 && strings.Contains(blocks, seq)
		if width == 0 || isBlock != (block != "") || isBlock && seq != block {
			flush()
		}
		switch {
		case width == 0:
			p.set(seq)
		case isBlock:
			block = seq
		default:
			text.WriteString(seq)
		}
		x += width
	}
	flush()
}

// box draws cells [from, to) of line y that are filled from below, to a part of their height.
func (f *film) box(p pen, from, to, y int, part float64) {
	f.ground(p, from, to, y)
	tall := part * cellHeight
	const overlap = .5 // so that no seam is seen between rows
	ink, _ := p.colors()
	fmt.Fprintf(&f.body, `<rect x="%d" y="%.1f" width="%d" height="%.1f" class="s%d"/>`, from*cellWidth,
		float64((y+1)*cellHeight)+4-tall, (to-from)*cellWidth, tall+overlap, numberOf(&f.styles, "fill:"+ink))
}

// ground draws what is behind cells [from, to) of line y.
func (f *film) ground(p pen, from, to, y int) {
	if _, ground := p.colors(); ground != "" && from < to {
		fmt.Fprintf(&f.body, `<rect x="%d" y="%d" width="%d" height="%d" class="s%d"/>`, from*cellWidth, y*cellHeight+4,
			(to-from)*cellWidth, cellHeight, numberOf(&f.styles, "fill:"+ground))
	}
}

// text draws a run of cells in columns [from, to) of line y.
func (f *film) text(p pen, s string, from, to, y int) {
	f.ground(p, from, to, y)
	if strings.TrimSpace(s) == "" {
		return
	}
	kept := strings.TrimRight(s, " ")
	to -= len(s) - len(kept)
	ink, _ := p.colors()
	var looks []string
	if ink != filmInk {
		looks = append(looks, "fill:"+ink)
	}
	if p.bold {
		looks = append(looks, "font-weight:bold")
	}
	if p.underline {
		looks = append(looks, "text-decoration:underline")
	}
	class := ""
	if len(looks) > 0 {
		class = fmt.Sprintf(` class="s%d"`, numberOf(&f.styles, strings.Join(looks, ";")))
	}
	fmt.Fprintf(&f.body, `<text x="%d" y="%d" textLength="%d"%s>%s</text>`, from*cellWidth, (y+1)*cellHeight,
		(to-from)*cellWidth, class, html.EscapeString(kept))
}

// numberOf returns the index of a value, which is added if it is new.
func numberOf[T comparable](all *[]T, one T) int {
	i := slices.Index(*all, one)
	if i < 0 {
		i = len(*all)
		*all = append(*all, one)
	}
	return i
}

// pen is the style of the next cells.
type pen struct {
	ink, back                      string // colors; "": the terminal's own
	bold, faint, underline, turned bool
}

// colors returns those of the text and of what is behind it, "" for nothing.
func (p pen) colors() (ink, ground string) {
	ink = cmp.Or(p.ink, filmInk)
	if p.faint {
		ink = cmp.Or(p.ink, filmFaint)
	}
	if p.turned {
		return cmp.Or(p.back, filmGround), ink
	}
	return ink, p.back
}

// sixteen are the values of the 16 basic colors.
var sixteen = strings.Fields("#45475a #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #c8cad8 " +
	"#6c7086 #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #ffffff")

// set applies an escape sequence of colors and attributes.
func (p *pen) set(seq string) {
	args := strings.Split(strings.TrimSuffix(strings.TrimPrefix(seq, "\x1b["), "m"), ";")
	for len(args) > 0 {
		n, _ := strconv.Atoi(args[0])
		args = args[1:]
		switch {
		case n == 0:
			*p = pen{}
		case n == 1:
			p.bold = true
		case n == 2:
			p.faint = true
		case n == 4:
			p.underline = true
		case n == 7:
			p.turned = true
		case n == 22:
			p.bold, p.faint = false, false
		case n == 24:
			p.underline = false
		case n == 27:
			p.turned = false
		case n == 38:
			p.ink, args = colorOf(args)
		case n == 48:
			p.back, args = colorOf(args)
		case n == 39:
			p.ink = ""
		case n == 49:
			p.back = ""
		case n >= 30 && n <= 37:
			p.ink = sixteen[n-30]
		case n >= 90 && n <= 97:
			p.ink = sixteen[n-82]
		}
	}
}

// colorOf reads 5;INDEX or 2;RED;GREEN;BLUE, and returns what follows.
func colorOf(args []string) (color string, rest []string) {
	numbers := make([]int, min(len(args), 4))
	for i := range numbers {
		numbers[i], _ = strconv.Atoi(args[i])
	}
	switch {
	case len(numbers) > 1 && numbers[0] == 5:
		r, g, b, _ := ansi.IndexedColor(numbers[1]).RGBA()
		return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8), args[2:]
	case len(numbers) > 3 && numbers[0] == 2:
		return fmt.Sprintf("#%02x%02x%02x", numbers[1], numbers[2], numbers[3]), args[4:]
	}
	return "", nil
}

// What stays is drawn once, and what changes is shown for its time.
func TestFilm(t *testing.T) {
	svg := drawFilm([]frame{
		{[]string{"stays", "\x1b[1;38;2;1;2;3mfirst\x1b[0m ▃▃"}, time.Second},
		{[]string{"stays", "second"}, 3 * time.Second},
	})
	for text, times := range map[string]int{
		">stays<": 1, ">first<": 1, ">second<": 1, `<rect x="56"`: 1, "fill:#010203;font-weight:bold": 1,
		"{opacity:1}25.00%{opacity:0}": 1, "0%{opacity:0}25.00%{opacity:1}": 1, "4.0s": 2,
	} {
		if n := strings.Count(svg, text); n != times {
			t.Errorf("%q is there %d times, want %d, in\n%s", text, n, times, svg)
		}
	}
}
