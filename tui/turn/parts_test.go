package turn

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"lens/internal/cleantext"
	"lens/retrieval"
	"lens/tui/theme"
)

const withParts = "See [the *docs*](https://example.org/a) or <https://example.org/b>, not [this](javascript:alert(1)).\n\n" +
	"```go\n\nfunc main() {\n\tprintln(1)\n}\n```\n\nAnd again [a](https://example.org/a):\n\n    indented code\n\n1. in an item\n\n   ```\n   echo hello\n   ```\n"

func TestParts(t *testing.T) {
	code, links := Parts(withParts)
	if want := []Link{{"the docs", "https://example.org/a"}, {"", "https://example.org/b"}}; !slices.Equal(links, want) {
		t.Errorf("links are %q, want %q", links, want)
	}
	want := []Code{{"go", "\nfunc main() {\n\tprintln(1)\n}\n"}, {"", "indented code\n"}, {"", "echo hello\n"}}
	if !slices.Equal(code, want) {
		t.Errorf("code is %q, want %q", code, want)
	}
}

func TestRender_CodeLines(t *testing.T) {
	for _, width := range []int{30, 80} {
		text := Render(&retrieval.Turn{User: "echo hello", Assistant: withParts}, Options{Width: width}, theme.New(theme.Mono, 0))
		var begins []string
		for _, i := range text.Code {
			begins = append(begins, strings.TrimLeft(ansi.Strip(text.Lines[i]), "│ "))
		}
		if want := []string{"func main() {", "indented code", "echo hello"}; !slices.Equal(begins, want) {
			t.Errorf("in %d cells code begins at %q, want %q", width, begins, want)
		}
	}
}

func FuzzParts(f *testing.F) {
	f.Add(withParts)
	f.Add("[a](http://[::1)\n```")
	f.Fuzz(func(t *testing.T, markdown string) {
		if len(markdown) > 4<<10 {
			return
		}
		_, links := Parts(markdown)
		for _, l := range links {
			if !cleantext.SafeURL(l.URL) {
				t.Errorf("a link to %q", l.URL)
			}
		}
	})
}
