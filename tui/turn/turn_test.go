package turn_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"lens/internal/cleantext"
	"lens/retrieval"
	"lens/tui/theme"
	"lens/tui/turn"
)

var (
	dark = theme.New(theme.Dark, colorprofile.TrueColor)
	mono = theme.New(theme.Mono, colorprofile.ASCII)
)

func example(answer string) *retrieval.Turn {
	when := time.Date(2024, 5, 14, 9, 31, 0, 0, time.UTC)
	return &retrieval.Turn{
		User: "How do I cancel?", Assistant: answer, Time: &when, TimeSource: "message", Source: "chatgpt", Model: "gpt-4o",
	}
}

func plain(t turn.Text) string {
	lines := slices.Clone(t.Lines)
	for i, line := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(line), " ")
	}
	return strings.Join(lines, "\n")
}

func TestRender(t *testing.T) {
	for name, c := range map[string]struct {
		turn *retrieval.Turn
		raw  bool
		want string
	}{
		"markdown": {
			example("# Title\n\nSome *text* with `code` that is long enough to be wrapped.\n\n- one\n- two\n"), false,
			"You  ◆ Tue 14 May 2024, 09:31 UTC\nHow do I cancel?\n\nChatGPT  gpt-4o\nTitle\n─────\nSome text with code that is long\nenough to be wrapped.\n\n• one\n• two",
		},
		"a list as wide as the pane": {
			example("- one more word than fits into a line, or two.\n- next\n  1. deeper, and also too long for it\n\nAfter it."), false,
			"You  ◆ Tue 14 May 2024, 09:31 UTC\nHow do I cancel?\n\nChatGPT  gpt-4o\n• one more word than fits into a\n  line, or two.\n• next\n  1. deeper, and also too long for\n     it\n\nAfter it.",
		},
		"raw": {
			example("# Title\n\n- `one`"), true,
			"You  ◆ Tue 14 May 2024, 09:31 UTC\nHow do I cancel?\n\nChatGPT  gpt-4o\n# Title\n\n- `one`",
		},
		"no answer": {
			example(" "), false, "You  ◆ Tue 14 May 2024, 09:31 UTC\nHow do I cancel?\n\nChatGPT  gpt-4o\nno answer in the export",
		},
		"undated, of unknown source": {
			&retrieval.Turn{User: "a\nb", Assistant: "c"}, false, "You  undated\na\nb\n\nAssistant\nc",
		},
		"the time of the conversation": {
			func() *retrieval.Turn { x := example("c"); x.TimeSource = "conversation"; return x }(), false,
			"You  ◆ Tue 14 May 2024, 09:31 UTC …\nHow do I cancel?\n\nChatGPT  gpt-4o\nc",
		},
		"a numeric escape is shown as a sign": {
			example("a &#27;]0;x&#7; &#65; b"), false,
			"You  ◆ Tue 14 May 2024, 09:31 UTC\nHow do I cancel?\n\nChatGPT  gpt-4o\na ␛]0;x␇ A b",
		},
		"a link shows its address": {
			example("[here](https://example.org/x)"), false,
			"You  ◆ Tue 14 May 2024, 09:31 UTC\nHow do I cancel?\n\nChatGPT  gpt-4o\nhere https://example.org/x",
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, th := range []theme.Theme{dark, mono} {
				if got := plain(turn.Render(c.turn, turn.Options{Width: 35, Raw: c.raw}, th)); got != c.want {
					t.Errorf("%s: got\n%s\nwant\n%s", th.Name, got, c.want)
				}
			}
		})
	}
}

func TestRender_MarksHits(t *testing.T) {
	find := func(line string) [][2]int {
		if at := strings.Index(line, "cancel"); at >= 0 {
			return [][2]int{{at, at + 6}}
		}
		return nil
	}
	text := turn.Render(example("To **cancel** it:\n\n```\ntoken.cancel()\n```\n"), turn.Options{Width: 40, Hits: find}, mono)
	if !slices.Equal(text.Hits, []int{1, 4, 6}) {
		t.Errorf("hits in lines %v of\n%s", text.Hits, plain(text))
	}
	if !strings.Contains(text.Lines[4], "\x1b[4") || strings.Contains(text.Lines[0], "\x1b[4") {
		t.Errorf("not marked: %q", text.Lines[4])
	}
}

// What the program writes above a text is not what the turn says.
func TestRender_LabelsAreNoHits(t *testing.T) {
	find := func(line string) [][2]int {
		if at := strings.Index(strings.ToLower(line), "rust"); at >= 0 {
			return [][2]int{{at, at + 4}}
		}
		return nil
	}
	said := example("- In Rust:\n\n  ```rust\n  rust()\n  ```\n")
	said.Model = "rust-1"
	text := turn.Render(said, turn.Options{Width: 40, Hits: find}, mono)
	if lines := strings.Split(plain(text), "\n"); len(text.Hits) != 2 || !strings.Contains(lines[text.Hits[0]], "In Rust") || !strings.Contains(lines[text.Hits[1]], "rust()") {
		t.Errorf("hits in lines %v of\n%s", text.Hits, plain(text))
	}
}

// A text that takes hours fails by the time limit of the test binary.
func TestRender_TextBeyondLimitsIsNotRendered(t *testing.T) {
	for name, s := range map[string]string{
		"quotes": strings.Repeat("> ", 400), "quotes without spaces": strings.Repeat(">", 400), "lists": strings.Repeat("- ", 400),
		"numbers": strings.Repeat("1. ", 300), "both": strings.Repeat("> - 1) ", 200), "a long text": strings.Repeat("> x\n", 1<<16),
		"emphasis": strings.Repeat("*a_", 80<<10), "links": strings.Repeat("[a](", 60<<10), "headings": strings.Repeat("# a\n", 60<<10),
		"underlined headings": strings.Repeat("a\n=\n\n", 40<<10), "lines under headings": strings.Repeat("a\n-\n\n", 40<<10), "code": strings.Repeat("```\n", 60<<10), "quoted code": strings.Repeat("> ~~~\n", 40<<10),
	} {
		text := turn.Render(example(s+"x"), turn.Options{Width: 4000}, dark)
		if got := plain(text); !strings.Contains(got, strings.TrimRight(s[:12], " \n")) {
			t.Errorf("%s: shows %q", name, got[:100])
		}
	}
}

// For any Markdown, lines keep the width, and the output is clean but for colors.
func FuzzRender(f *testing.F) {
	for _, s := range []string{
		"", "# a\n\n- b\n  1. c\n", "```go\n\tx\n```", "| a | b |\n|---|---|\n| 世 | `x` |", "> quote\n>> deeper", "&#27;]52;c;YQ==&#7;", "&#x202e;&rlm;&#155;2J",
		"[x](javascript:alert(1)) <https://a.b> ![i](x)", "~~~\n\x1b[2J", "term\n: definition", "- [ ] task", "***", strings.Repeat("> ", 15) + "deep", strings.Repeat("> ", 400),
	} {
		f.Add(s, 30)
	}
	f.Fuzz(func(t *testing.T, s string, width int) {
		if len(s) > 2<<10 {
			return // longer texts are slower and test nothing more
		}
		width = 1 + (width&0x7fff)%120
		text := cleantext.Text(s)
		rendered := turn.Render(&retrieval.Turn{User: text, Assistant: text}, turn.Options{Width: width}, dark)
		for _, line := range rendered.Lines {
			bare := ansi.Strip(line)
			if cleantext.Text(bare) != bare || strings.Contains(bare, "\n") {
				t.Fatalf("not clean: %q", line)
			}
			if g, wc := ansi.StringWidth(line), ansi.StringWidthWc(line); g != wc || g > max(width, 2) {
				t.Fatalf("%d cells by clusters, %d by runes, of %d: %q", g, wc, width, line)
			}
			if rest := withoutColors(line); strings.Contains(rest, "\x1b") {
				t.Fatalf("more than colors: %q", line)
			}
		}
	})
}

// withoutColors removes SGR sequences.
func withoutColors(s string) string {
	var out strings.Builder
	for s != "" {
		seq, _, n, _ := ansi.DecodeSequence(s, ansi.NormalState, nil)
		if !strings.HasPrefix(seq, "\x1b[") || !strings.HasSuffix(seq, "m") {
			out.WriteString(seq)
		}
		s = s[n:]
	}
	return out.String()
}

func BenchmarkRender(b *testing.B) {
	answer := strings.Repeat("Some *prose* about `things`, as in most chats, with **weight**.\n\n", 60) + "```go\n" + strings.Repeat("if err != nil {\n\treturn fmt.Errorf(\"x: %w\", err)\n}\n", 60) + "```\n"
	t := example(answer)
	b.SetBytes(int64(len(answer)))
	for b.Loop() {
		turn.Render(t, turn.Options{Width: 60}, dark)
	}
}

func TestRender_Chunk(t *testing.T) {
	when := time.Date(2024, 5, 14, 9, 31, 0, 0, time.UTC)
	piece := &retrieval.Turn{
		Title: "Manual", Source: "documents", Time: &when, TimeSource: "message", User: "Care", Assistant: "Oil the *hinge*.",
		Chunk: &retrieval.Chunk{Path: "docs/manual.pdf", Pages: []int{3, 4}},
	}
	got := turn.Render(piece, turn.Options{Width: 60}, theme.New(theme.Mono, colorprofile.ASCII))
	text := ansi.Strip(strings.Join(got.Lines, "\n"))
	for _, wanted := range []string{"docs/manual.pdf  ◆ pages 3 to 4 · Tue 14 May 2024, 09:31 UTC", "Care", "Oil the hinge."} {
		if !strings.Contains(text, wanted) {
			t.Errorf("%q is missing:\n%s", wanted, text)
		}
	}
	if strings.Contains(text, "You") || strings.Contains(text, "Assistant") {
		t.Errorf("a chunk shows a speaker:\n%s", text)
	}
}

func TestRender_SaysHowLongAnAnswerIs(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("word ", 60): "ChatGPT  gpt-4o · 60 words",
		strings.Repeat("word ", 20): "ChatGPT  gpt-4o",
		strings.Repeat("長い答えの中の一つの文字列です。 ", 60): "ChatGPT  gpt-4o", // its words are not between spaces
	} {
		r := turn.Render(example(text), turn.Options{Width: 60}, mono)
		if got := strings.TrimSpace(ansi.Strip(r.Lines[r.Answer])); got != want {
			t.Errorf("above the answer is %q, want %q", got, want)
		}
	}
}
