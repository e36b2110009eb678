package theme

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Raised puts a styled line on the ground of a dialog, also between its styles.
func (t Theme) Raised(line string) string { return t.Overlay.Under(line) }

// Behind draws a line that is behind a dialog: its colors are mixed into the ground, and nothing in it is bold. With
// few colors, it is all faint.
func (t Theme) Behind(line string) string {
	if t.Shaded || t.Overlay.Before == "" {
		return t.Faint.Render(ansi.Strip(line))
	}
	ground := [3]int{0x12, 0x13, 0x16}
	if t.Name == Light {
		ground = [3]int{0xff, 0xff, 0xff}
	}
	var out strings.Builder
	out.WriteString(t.Faint.Before)
	for line != "" {
		at := strings.Index(line, "\x1b[")
		if at < 0 {
			break
		}
		out.WriteString(line[:at])
		line = line[at:]
		end := strings.IndexFunc(line[2:], func(r rune) bool { return r >= 0x40 })
		if end < 0 {
			break
		}
		if parameters := line[2 : 2+end]; line[2+end] == 'm' {
			out.WriteString(t.mixed(parameters, ground))
		} else {
			out.WriteString(line[:3+end])
		}
		line = line[3+end:]
	}
	out.WriteString(line)
	return out.String() + reset
}

// mixed returns the style of parameters as it is behind a dialog.
func (t Theme) mixed(parameters string, ground [3]int) string {
	if parameters == "" || parameters == "0" {
		return reset + t.Faint.Before
	}
	fields := strings.Split(parameters, ";")
	var kept []string
	for i := 0; i < len(fields); i++ {
		switch {
		case (fields[i] == "38" || fields[i] == "48") && i+4 < len(fields) && fields[i+1] == "2":
			kept = append(kept, fields[i], "2")
			for c, field := range fields[i+2 : i+5] {
				n, _ := strconv.Atoi(field)
				kept = append(kept, strconv.Itoa((n*40+ground[c]*60)/100))
			}
			i += 4
		case fields[i] == "1": // bold
		default:
			kept = append(kept, fields[i])
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return "\x1b[" + strings.Join(kept, ";") + "m"
}
