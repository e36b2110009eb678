package turn_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
	"lens/tui/turn"
)

// drawn returns the lines of a Markdown text, without trailing blanks.
func drawn(markdown string, width int, th theme.Theme) string {
	return plain(turn.Text{Lines: turn.Markdown(markdown, width, th)})
}

func TestMarkdown(t *testing.T) {
	for name, c := range map[string]struct{ answer, want string }{
		"headings of rank":        {"# One\n\na\n\n## Two\n\nb\n\n### Three\n\nc", "One\n───\na\n\nTwo\nb\n\nThree\nc"},
		"a heading over a list":   {"## Two\n- a\n- b", "Two\n• a\n• b"},
		"a heading over headings": {"# One\n## Two\n", "One\n───\n\nTwo"},
		"breaks of lines stay":    {"a\nb  \nc", "a\nb\nc"},
		"numbers go on":           {"9. a\n10. b", "9. a\n10. b"},
		"tasks":                   {"- [x] done\n- [ ] open", "[x] done\n[ ] open"},
		"a table": {
			"| what | how much |\n|:---|---:|\n| lentils | 200 g |\n| `oil` | 4 |",
			"what    │ how much\n────────┼─────────\nlentils │    200 g\noil     │        4",
		},
		"a wide table": {
			"| a | b |\n|---|---|\n| one two three four five | six seven eight nine ten |",
			"a               │ b\n────────────────┼─────────────────\none two three   │ six seven eight\nfour five       │ nine ten",
		},
		"a table of many columns": {"|a|b|c|d|e|\n|-|-|-|-|-|\n|1|2|3|4|5|", "a\nb\nc\nd\ne\n\n1\n2\n3\n4\n5"},
		"definitions":             {"term\n: what it is", "term\n  what it is"},
		"HTML":                    {"<div>\n<b>x</b>\n</div>\n\na<br>b <kbd>c</kbd>", "<div>\n<b>x</b>\n</div>\n\na\nb <kbd>c</kbd>"},
		"a rule":                  {"a\n\n---\n\nb", "a\n\n────────\n\nb"},
		"an image":                {"![a cat](https://example.org/x.png)", "Image: a cat"},
		"an unsafe link":          {"[here](javascript:x) [mail](mailto:a@b.c)", "here mail mailto:a@b.c"},
		"entities and escapes":    {`a &amp; b &lt;i&gt; \*c\*`, "a & b <i> *c*"},
		"a long word":             {strings.Repeat("x", 50), strings.Repeat("x", 34) + "\n" + strings.Repeat("x", 16)},
		"wide characters":         {"a " + strings.Repeat("世", 30), "a " + strings.Repeat("世", 16) + "\n" + strings.Repeat("世", 14)},
		"a list in a quote":       {"> a\n> - b\n>   - c", "│ a\n│\n│ • b\n│   • c"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := drawn(c.answer, 34, mono); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestMarkdown_Code(t *testing.T) {
	const code = "```go\nif x {\n\treturn 1 // y\n}\n```\n"
	if got, want := drawn(code, 20, dark), "                 go\n  if x {\n      return 1 // y\n  }\n"; got != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	for _, line := range turn.Markdown(code, 20, dark) {
		if ansi.StringWidth(line) != 20 || !strings.Contains(line, "48;2;32;35;40") {
			t.Errorf("no ground of 20 cells: %q", line)
		}
	}
	for _, th := range []theme.Theme{mono, theme.New(theme.Dark, colorprofile.ANSI)} {
		if got, want := drawn(code, 20, th), "│                go\n│ if x {\n│     return 1 // y\n│ }"; got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", th.Name, got, want)
		}
	}
	if got, want := drawn(code, 20, theme.New(theme.ASCII, 0)), "|                go\n| if x {\n|     return 1 // y\n| }"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMarkdown_Highlights(t *testing.T) {
	const purple, green, amber, blue, dim = "38;2;179;154;224", "38;2;134;195;164", "38;2;205;179;122", "38;2;111;163;204", "38;2;162;162;170"
	for name, c := range map[string]struct{ code, word, color string }{
		"a keyword of Go":         {"```go\nfunc f() {}", "func", purple},
		"a call":                  {"```go\nfunc gh() {}", "gh", blue},
		"a macro of Rust":         {"```rust\ntokio::select! {}", "select", blue},
		"a text of Python":        {"```python\nx = '''a\nb''' + 1", "b'''", green},
		"a number":                {"```js\nlet x = 12.5", "12.5", amber},
		"a comment of C":          {"```c\n/* a\n b */ x", " b */", dim},
		"SQL in any case":         {"```SQL\nSelect 1", "Select", purple},
		"a comment of a shell":    {"```sh\nls # all", "# all", dim},
		"no comment of a shell":   {"```sh\nls a#b", "ls a#b", ""},
		"a lifetime is no text":   {"```rust\nfn f<'a>(x: &'a str)", ">(x: &'a ", ""},
		"an element":              {"```html\n<p class=\"x\">hi</p>", "p", purple},
		"an added line":           {"```diff\n+ a\n- b", "+ a", green},
		"a field is no keyword":   {"```go\nx.type", "x.type", ""},
		"an unknown language":     {"```klingon\nfunc 12", "func 12", ""},
		"a quote that never ends": {"```go\nx := 'a\ny", "y", ""},
	} {
		t.Run(name, func(t *testing.T) {
			all := strings.Join(turn.Markdown(c.code, 60, dark), "\n")
			at := strings.Index(all, c.word)
			before := all[:max(0, at)]
			sequence := before[strings.LastIndex(before, "\x1b["):]
			if c.color == dim {
				sequence = strings.Replace(sequence, "\x1b[3;", "\x1b[", 1)
			}
			if at < 0 || c.color == "" && strings.Contains(sequence, "38;2") || !strings.Contains(sequence, c.color) {
				t.Errorf("%q is not drawn so: %q", c.word, all)
			}
		})
	}
}

func TestMarkdown_Formulas(t *testing.T) {
	for name, c := range map[string]struct{ answer, want string }{
		"inline":                 {`With \(a_1 + b^2 \le \alpha\) it holds.`, "With a₁ + b² ≤ α it holds."},
		"on lines of its own":    {"So\n\\[\nE = mc^2\n\\]\nholds.", "So\nE = mc²\nholds."},
		"a fraction and a root":  {`\(\frac{x+1}{2} = \sqrt{y}\)`, "(x+1)/2 = √y"},
		"dollars":                {`$x_i \in \mathbb{R}$ and $$\sum_i x_i$$`, "xᵢ ∈ ℝ and ∑ᵢ xᵢ"},
		"unsure of a command":    {`\(\mathcal{L}(x)_i\) *a*`, `\(\mathcal{L}(x)_i\) a`},
		"unsure of an exponent":  {`\(x^{q}\)`, `\(x^{q}\)`},
		"an environment is kept": {"\\[\\begin{matrix}a & b\\end{matrix}\\]", `\[\begin{matrix}a & b\end{matrix}\]`},
		"sums of money":          {`It costs $5 and *not* $6_000.`, "It costs $5 and not $6_000."},
		"an escaped bracket":     {`\[a note\]`, "[a note]"},
		"code":                   {"`\\(a_1\\)` and\n```\n\\(b^2\\) $c^2$\n```\nafter \\(d^2\\)", "\\(a_1\\) and\n\n│ \\(b^2\\) $c^2$\n\nafter d²"},
		"code that is indented":  {"\\(a_1\\):\n\n    echo $a_1$b\n\n    $c_1$\n$d_1$", "a₁:\n\n│ echo $a_1$b\n│\n│ $c_1$\n\nd₁"},
		"code in an item":        {"- \\(a_1\\)\n\n      $b_1$\n\n    $c_1$", "• a₁\n\n  │ $b_1$\n\n  c₁"},
		"code that is no fence":  {"```js x ``` is $a_1$\n\n$b_1$", "js x is a₁\n\nb₁"},
		"indented text":          {"1. so\n    \\(a_1\\)\n\n    \\(b_1\\)", "1. so\n   a₁\n\n    b₁"},
		"emphasis inside of it":  {`\(a*b\) and \(c*d\)`, "a*b and c*d"},
		"text and functions":     {`\(\sin \theta \text{ if } x \neq 0\)`, "sin θ  if  x ≠ 0"},
		"a mark without its end": {`\(a_1 and *b*`, "(a_1 and b"},
	} {
		t.Run(name, func(t *testing.T) {
			want := strings.ReplaceAll(c.want, "  ", " ")
			if got := strings.ReplaceAll(drawn(c.answer, 60, mono), "  ", " "); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// For any code and any formula, nothing is lost and nothing hangs.
func FuzzMarkdown_Code(f *testing.F) {
	for _, language := range []string{"go", "rust", "python", "html", "sql", "sh", "diff", "lisp", ""} {
		f.Add(language, "x := 'a\n\"b\" /* c\n# d <e f=\"g\">\n`h`", 30)
	}
	f.Fuzz(func(t *testing.T, language, code string, width int) {
		if len(code) > 2<<10 || strings.ContainsAny(language, "\n`") || strings.ContainsAny(code, "`\x1b") {
			return
		}
		width = 1 + (width&0x7fff)%120
		for _, line := range turn.Markdown("````"+language+"\n"+code+"\n````\n", width, dark) {
			if ansi.StringWidth(line) > max(width, 2) {
				t.Fatalf("%d cells of %d: %q", ansi.StringWidth(line), width, line)
			}
		}
	})
}

func FuzzMarkdown_Formula(f *testing.F) {
	for _, tex := range []string{`\frac{a}{b}`, `x^{2}_i`, `\sqrt[3]{x}`, `\left( \alpha \right)`, `{{{}}}`, `\`, `^`, `\mathbb`} {
		f.Add(tex)
	}
	f.Fuzz(func(t *testing.T, tex string) {
		if len(tex) < 2<<10 {
			turn.Markdown(`\(`+tex+`\) $`+tex+"$", 40, mono)
		}
	})
}

// A text that takes hours fails by the time limit of the test binary.
func TestMarkdown_ManyBeginnings(t *testing.T) {
	for _, begun := range []string{"`x ", `\(`, "$x", `\[x_`, "$$x "} {
		turn.Markdown(strings.Repeat(begun+"y", 40<<10), 60, mono)
	}
	for _, narrow := range []string{"世\u0301世", "\u0301\u0301", "👩‍🚀x"} {
		turn.Markdown(narrow, 1, mono)
		turn.Markdown("    "+narrow, 1, dark)
	}
}

// longTexts are what a line, or a whole text, may consist of.
var longTexts = map[string]struct{ before, again string }{
	"lines below a dollar":   {"$\n\n", "A line of an answer.\n"},
	"a line of a script":     {"```js\n", `var a=f("x",1);`},
	"a line of words":        {"```js\n", "some more words "},
	"a line of unknown code": {"```\n", "some more words "},
	"a word of many parts":   {"", "é`c`"},
	"a word that is broken":  {"", "QUJD"},
}

// allocated returns how many bytes are allocated while a text is drawn.
func allocated(text string) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	turn.Markdown(text, 60, dark)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// What is copied again for each line grows with the square of the length.
func TestMarkdown_WorkGrowsWithTheText(t *testing.T) {
	for name, c := range longTexts {
		t.Run(name, func(t *testing.T) {
			of := func(length int) string { return c.before + strings.Repeat(c.again, length/len(c.again)) }
			allocated(of(1 << 10)) // what is made once
			short, long := allocated(of(16<<10)), allocated(of(128<<10))
			if long > 12*short {
				t.Errorf("%d bytes are allocated, %d for an eighth of the text", long, short)
			}
		})
	}
}

func BenchmarkMarkdown_Long(b *testing.B) {
	for name, c := range longTexts {
		b.Run(name, func(b *testing.B) {
			text := c.before + strings.Repeat(c.again, 250<<10/len(c.again))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				turn.Markdown(text, 60, dark)
			}
		})
	}
}
