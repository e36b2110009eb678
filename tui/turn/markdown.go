package turn

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"charm.land/glamour/v2"
	gansi "charm.land/glamour/v2/ansi"
	"charm.land/glamour/v2/styles"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/parser"

	"lens/internal/cleantext"
	"lens/tui/theme"
)

// Markdown renders clean Markdown into lines of at most width cells. Text beyond the limits is only wrapped.
func Markdown(source string, width int, th theme.Theme) []string {
	text := cleantext.Columns(source)
	if cleantext.SlowMarkdown(text) {
		return wrapped(text, max(1, width))
	}
	return markdown(text, max(1, width), th)
}

// markdown renders text into lines of at most width cells. If that fails, the text is only wrapped.
//
// The input is clean, but Markdown can encode any character by number (&#27;) or name (&rlm;), and glamour emits
// hyperlinks. So unclean numbers are disarmed, the output is cleaned again, and only its color sequences pass.
func markdown(text string, width int, th theme.Theme) []string {
	wrap := wrapAt(text, width)
	renderer, err := glamour.NewTermRenderer(
		glamour.WithStyles(styleOf(th)), glamour.WithWordWrap(wrap), glamour.WithPreservedNewLines(),
	)
	if err != nil {
		return prose(text, "", width, th)
	}
	rendered, err := renderer.Render(prepared(disarmed(text), wrap, th))
	if err != nil {
		return prose(text, "", width, th)
	}
	lines := strings.Split(ansi.Hardwrap(colorsOnly(rendered), width, true), "\n")
	for i, line := range lines {
		lines[i] = trimmed(line)
	}
	return sparing(hung(lines, width))
}

var numbered = regexp.MustCompile(`&#(x[0-9a-fA-F]{1,6}|X[0-9a-fA-F]{1,6}|[0-9]{1,7});`)

// disarmed breaks references to unclean characters with a word joiner, so that they are shown literally.
func disarmed(text string) string {
	return numbered.ReplaceAllStringFunc(text, func(ref string) string {
		digits, base := ref[2:len(ref)-1], 10
		if digits[0] == 'x' || digits[0] == 'X' {
			digits, base = digits[1:], 16
		}
		n, err := strconv.ParseInt(digits, base, 32)
		if char := string(rune(n)); err == nil && cleantext.Text(char) == char {
			return ref
		}
		return "&\u2060" + ref[1:]
	})
}

// colorsOnly cleans rendered text and drops all escape sequences but those for colors and styles.
func colorsOnly(s string) string {
	var out strings.Builder
	p := ansi.GetParser()
	defer ansi.PutParser(p)
	plain, state := 0, parser.GroundState
	for at := 0; at < len(s); {
		seq, _, n, next := ansi.DecodeSequence(s[at:], state, p)
		state = next
		if n == 0 {
			break
		}
		if strings.HasPrefix(seq, "\x1b") {
			out.WriteString(cleantext.Columns(cleantext.Text(s[plain:at])))
			plain = at + n
			if strings.HasPrefix(seq, "\x1b[") && ansi.Cmd(p.Command()).Final() == 'm' {
				out.WriteString(seq)
			}
		}
		at += n
	}
	out.WriteString(cleantext.Columns(cleantext.Text(s[plain:])))
	return out.String()
}

// trimmed removes the trailing spaces that glamour adds.
func trimmed(line string) string {
	if strings.TrimSpace(ansi.Strip(line)) == "" {
		return ""
	}
	return ansi.Truncate(line, ansi.StringWidth(strings.TrimRight(ansi.Strip(line), " ")), "")
}

// sparing removes empty lines at the ends and collapses repeated ones.
func sparing(lines []string) []string {
	lines = slices.CompactFunc(lines, func(a, b string) bool { return a == "" && b == "" })
	from, to := 0, len(lines)
	for from < to && lines[from] == "" {
		from++
	}
	for from < to && lines[to-1] == "" {
		to--
	}
	return lines[from:to]
}

// styleOf returns a calm Markdown style: structure by weight and indent, one accent, and highlighted code if there is
// color.
func styleOf(th theme.Theme) gansi.StyleConfig {
	yes := true
	accent, code := accentOf(th)
	bold := gansi.StylePrimitive{Bold: &yes}
	heading := gansi.StyleBlock{StylePrimitive: bold}
	bullet, one, two := "• ", uint(1), uint(2)
	if th.Name == theme.ASCII {
		bullet = "* "
	}
	quote := th.Glyphs.Vertical + " "
	return gansi.StyleConfig{
		BlockQuote: gansi.StyleBlock{Indent: &one, IndentToken: &quote, StylePrimitive: gansi.StylePrimitive{Faint: &yes}},
		List:       gansi.StyleList{LevelIndent: 2},
		Heading:    gansi.StyleBlock{StylePrimitive: gansi.StylePrimitive{BlockSuffix: "\n", Bold: &yes, Color: accent}},
		H1:         heading, H2: heading, H3: heading, H4: heading, H5: heading, H6: heading,
		Strikethrough: gansi.StylePrimitive{CrossedOut: &yes},
		Emph:          gansi.StylePrimitive{Italic: &yes},
		Strong:        bold,
		HorizontalRule: gansi.StylePrimitive{
			Format: "\n" + strings.Repeat(th.Glyphs.Horizontal, 8) + "\n", Faint: &yes,
		},
		Item:           gansi.StylePrimitive{BlockPrefix: bullet},
		Enumeration:    gansi.StylePrimitive{BlockPrefix: ". "},
		Task:           gansi.StyleTask{Ticked: "[x] ", Unticked: "[ ] "},
		Link:           gansi.StylePrimitive{Underline: &yes, Faint: &yes},
		LinkText:       bold,
		Image:          gansi.StylePrimitive{Underline: &yes},
		ImageText:      gansi.StylePrimitive{Format: "Image: {{.text}}", Faint: &yes},
		Code:           gansi.StyleBlock{StylePrimitive: gansi.StylePrimitive{Color: accent, Bold: &yes}},
		CodeBlock:      gansi.StyleCodeBlock{StyleBlock: gansi.StyleBlock{Margin: &two}, Chroma: code},
		DefinitionTerm: bold, DefinitionDescription: gansi.StylePrimitive{BlockPrefix: "\n  "},
		Table: gansi.StyleTable{
			CenterSeparator: ptr(crossing(th)), ColumnSeparator: &th.Glyphs.Vertical, RowSeparator: &th.Glyphs.Horizontal,
		},
	}
}

func crossing(th theme.Theme) string {
	if th.Name == theme.ASCII {
		return "+"
	}
	return "┼"
}

// accentOf returns the accent and the colors of code, nil without color.
func accentOf(th theme.Theme) (accent *string, code *gansi.Chroma) {
	switch th.Name {
	case theme.Dark:
		return ptr("#5fafd7"), withoutBackground(styles.DarkStyleConfig.CodeBlock.Chroma)
	case theme.Light:
		return ptr("#005f87"), withoutBackground(styles.LightStyleConfig.CodeBlock.Chroma)
	}
	return nil, nil
}

// withoutBackground keeps the terminal's own background behind code.
func withoutBackground(c *gansi.Chroma) *gansi.Chroma {
	own := *c
	own.Background, own.Error = gansi.StylePrimitive{}, gansi.StylePrimitive{}
	return &own
}

func ptr(s string) *string { return &s }
