//go:build system

package main

import (
	"cmp"
	"flag"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

var pictures = flag.Bool("pictures", false, "redraw the pictures of the README: make screenshots")

// TestPictures draws the explorer on the demo, as it appears in tmux.
func TestPictures(t *testing.T) {
	if !*pictures {
		t.Skip("only make screenshots draws the pictures of the README")
	}
	m, lens, archive := demoOnTmux(t)
	m.resize("120", "40")
	m.press("clear; "+lens+" --theme dark --data "+archive, "Enter")
	m.see(`Topics  \d+ of`, `When you ask`, `busiest day`)
	m.press("k", "h")
	m.draw("home")
	m.resize("120", "34")
	m.press("/sourdough")
	m.see(`/ sourdough`, `▌ ● `, `You  20`)
	m.press("Enter", "2")
	m.see(`│ You  20\d\d-`) // the reader shows the best match
	m.press("1", "g", "n", "v", "l", "l", "l")
	m.see(`brush`, `━┛`, `│ You  2022-`)
	m.draw("brush")
	m.press("Enter")
	m.see(`All › `, `▌ ● `)
	m.press("2", "j", "Enter")
	m.see(`J K next/previous turn`, `Turn +5 Info +Dense crumb`)
	m.draw("read")
	m.press("q")
	m.see(`ready\$`)
}

// draw writes the screen as an SVG.
func (m *multiplexer) draw(name string) {
	m.t.Helper()
	lines := strings.Split(strings.TrimRight(m.do("capture-pane", "-e", "-p"), "\n"), "\n")
	if err := os.WriteFile(filepath.Join("testdata", "pictures", name+".svg"), []byte(svg(lines, 120)), 0o644); err != nil {
		m.t.Fatal(err)
	}
}

// The size of a cell in pixels.
const (
	cellWidth  = 8
	cellHeight = 17
)

// pen is the style of the next cells.
type pen struct {
	color                          string
	bold, faint, underline, turned bool
}

// svg draws lines of a terminal, one element for each run of cells of one style. Block characters become boxes, so that
// they join.
func svg(lines []string, columns int) string {
	var out strings.Builder
	width, height := (columns+2)*cellWidth, (len(lines)+1)*cellHeight
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="13"><rect width="100%%" height="100%%" rx="6" fill="#16161e"/>`+"\n", width, height)
	for y, line := range lines {
		var run strings.Builder
		p, x, from := pen{}, 1, 1
		flush := func() {
			out.WriteString(p.text(run.String(), from, x, y))
			run.Reset()
			from = x
		}
		for line != "" {
			seq, w, n, _ := ansi.DecodeSequence(line, ansi.NormalState, nil)
			line = line[n:]
			switch eighths := strings.Index("▁▂▃▄▅▆▇█", seq) / 3; {
			case w == 0:
				flush()
				p.set(seq)
			case strings.Contains("▁▂▃▄▅▆▇█", seq):
				flush()
				tall := float64(eighths+1) / 8 * cellHeight
				fmt.Fprintf(&out, `<rect x="%d" y="%.1f" width="%d" height="%.1f" fill="%s"/>`, x*cellWidth, float64((y+1)*cellHeight)+4-tall, cellWidth, tall, p.fill())
				x++
				from = x
			default:
				run.WriteString(seq)
				x += w
			}
		}
		flush()
		out.WriteByte('\n')
	}
	return out.String() + "</svg>\n"
}

// text draws a run of cells in columns [from, to) of line y.
func (p pen) text(s string, from, to, y int) string {
	if from == to || strings.TrimSpace(s) == "" && !p.turned {
		return ""
	}
	var out, look strings.Builder
	fill := p.fill()
	if p.turned {
		fmt.Fprintf(&out, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`, from*cellWidth, y*cellHeight+4, (to-from)*cellWidth, cellHeight, fill)
		fill = "#16161e"
	}
	if p.bold {
		look.WriteString(` font-weight="bold"`)
	}
	if p.underline {
		look.WriteString(` text-decoration="underline"`)
	}
	fmt.Fprintf(&out, `<text x="%d" y="%d" fill="%s" textLength="%d" xml:space="preserve"%s>%s</text>`,
		from*cellWidth, (y+1)*cellHeight, fill, (to-from)*cellWidth, look.String(), html.EscapeString(s))
	return out.String()
}

func (p pen) fill() string {
	if p.faint {
		return cmp.Or(p.color, "#7d8296")
	}
	return cmp.Or(p.color, "#c8cad8")
}

// sixteen are the values of the 16 basic colors.
var sixteen = strings.Fields("#45475a #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #c8cad8 #6c7086 #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #ffffff")

// set applies an escape sequence of colors and attributes.
func (p *pen) set(seq string) {
	args := strings.Split(strings.TrimSuffix(strings.TrimPrefix(seq, "\x1b["), "m"), ";")
	for i := 0; i < len(args); i++ {
		n, _ := strconv.Atoi(args[i])
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
		case n == 39:
			p.color = ""
		case n >= 30 && n <= 37:
			p.color = sixteen[n-30]
		case n >= 90 && n <= 97:
			p.color = sixteen[n-82]
		case n == 38 && i+2 < len(args) && args[i+1] == "5":
			index, _ := strconv.Atoi(args[i+2])
			r, g, b, _ := ansi.IndexedColor(index).RGBA()
			p.color = fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
			i += 2
		}
	}
}
