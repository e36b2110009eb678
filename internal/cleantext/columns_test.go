package cleantext_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"lens/internal/cleantext"
)

func TestColumns(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain text stays":                       {"func main() {}", "func main() {}"},
		"tabs go to their stops":                 {"\ta\n ab\tc\n世\td", "    a\n ab c\n世  d"},
		"joined emoji fall apart":                {"👩\u200d🚀|", "👩🚀|"},
		"skin tones go":                          {"👍🏽|", "👍|"},
		"variation selectors go":                 {"✍\ufe0f|1\ufe0f\u20e3|", "✍|1\u20e3|"},
		"flags stay":                             {"🇩🇪|", "🇩🇪|"},
		"half a flag is replaced":                {"🇩|", "\uFFFD|"},
		"conjuncts are kept apart":               {"क्ष|", "क्\u200bष|"},
		"halfwidth voicing is apart":             {"ﾊﾟ|", "ﾊ\u200bﾟ|"},
		"decomposed letters stay":                {"e\u0301한글|", "e\u0301한글|"},
		"what swallows its neighbor is replaced": {"\u0600 \u06dd1|", "\uFFFD \uFFFD1|"},
		"a mark on an ASCII letter":              {"xe\u0301|", "xe\u0301|"},
		"a flood of marks is held off":           {"e" + strings.Repeat("\u0301", 99) + "|", "e" + strings.Repeat("\u0301", 15) + "|"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := cleantext.Columns(c.in); got != c.want {
				t.Errorf("Columns(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

// kinds holds runes of every kind that the cluster rules and width tables distinguish.
var kinds = strings.Split("a| |\n|\t|\u0301|\u20e3|\u200b|\u200c|\u200d|\ufe0e|\ufe0f|\ufeff|\u0600|\u0d4e|क|ष|\u094d|\u093f|ก|\u0e33|\uff9f|世|"+
	"\u1100|\u1161|\u11a8|가|각|✍|👩|\U0001f3fd|🇩|🇪|\u0897|\u0cf3|\uFFFD", "|")

func TestColumns_WidthOfEveryTriple(t *testing.T) {
	for _, first := range kinds {
		for _, second := range kinds {
			for _, third := range kinds {
				s := first + second + third
				mustBeEven(t, s, cleantext.Columns(s))
			}
		}
	}
}

func TestColumns_WidthOfEveryRune(t *testing.T) {
	if testing.Short() {
		t.Skip("the width of every rune is NOT tested in -short mode")
	}
	for r := rune(' '); r < 0x34000; r++ {
		s := cleantext.Text(string(r) + "a" + string(r) + "\n世" + string(r) + string(r))
		mustBeEven(t, s, cleantext.Columns(s))
	}
}

// mustBeEven checks what Columns promises.
func mustBeEven(t *testing.T, text, columns string) {
	t.Helper()
	if again := cleantext.Columns(columns); again != columns {
		t.Errorf("Columns is not idempotent: %q, of %q, then %q", columns, text, again)
	}
	if strings.Count(columns, "\n") != strings.Count(text, "\n") {
		t.Errorf("Columns(%q) has other lines: %q", text, columns)
	}
	for line := range strings.SplitSeq(columns, "\n") {
		padded := line + "  |"
		if g, wc := ansi.StringWidth(line)+3, ansi.StringWidthWc(padded); g != wc || ansi.StringWidth(padded) != g {
			t.Errorf("the width of %q, of %q, is %d by clusters and %d by runes", line, text, g, wc)
		}
	}
}
