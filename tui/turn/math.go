package turn

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Formulas in TeX are kept from the parser of Markdown, which would take their characters for its own. Those of which
// each part is known are shown in Unicode, the others as they are written.

// firstFormula stands for the first formula in a text that is parsed, the rune after it for the second.
const firstFormula = '\U000f0000'

const (
	mostFormulas   = 1000
	longestFormula = 2 << 10 // bytes
)

// withoutMath replaces the formulas of a Markdown text by a character each.
func withoutMath(source string) (without string, formulas []string) {
	if !strings.Contains(source, `\(`) && !strings.Contains(source, `\[`) && !strings.Contains(source, "$") ||
		strings.ContainsFunc(source, func(r rune) bool { return r >= firstFormula && r < firstFormula+mostFormulas }) {
		return source, nil
	}
	var out strings.Builder
	code := codeIn(source)
	for start := 0; start < len(source); {
		if start == 0 || source[start-1] == '\n' {
			end := len(source)
			if n := strings.IndexByte(source[start:], '\n'); n >= 0 {
				end = start + n + 1
			}
			for len(code) > 0 && code[0].Stop <= start {
				code = code[1:]
			}
			if isFence(source[start:end]) || len(code) > 0 && code[0].Start < end {
				out.WriteString(source[start:end])
				start = end
				continue
			}
		}
		n, formula := nextMath(source[start:])
		if formula == "" || len(formulas) == mostFormulas {
			out.WriteString(source[start : start+n])
		} else {
			out.WriteRune(firstFormula + rune(len(formulas)))
			formulas = append(formulas, formula)
		}
		start += n
	}
	return out.String(), formulas
}

// codeParser parses no more than blocks. It is made on first use, as dialect is.
var codeParser = sync.OnceValue(func() parser.Parser {
	blocks := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
	return goldmark.New(goldmark.WithParser(blocks), goldmark.WithExtensions(extension.DefinitionList)).Parser()
})

// codeIn returns the lines of a Markdown text that are in blocks of code.
func codeIn(source string) (lines []text.Segment) {
	var walk func(ast.Node)
	walk = func(parent ast.Node) {
		for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
			if isCode(n) {
				lines = append(lines, n.Lines().Sliced(0, n.Lines().Len())...)
			} else if n.Type() == ast.TypeBlock {
				walk(n)
			}
		}
	}
	walk(codeParser().Parse(text.NewReader([]byte(source))))
	return lines
}

// isFence reports whether a line may begin or end a block of code.
func isFence(line string) bool {
	line = strings.TrimLeft(line, " >")
	if rest, ok := strings.CutPrefix(line, "```"); ok {
		return !strings.Contains(strings.TrimLeft(rest, "`"), "`")
	}
	return strings.HasPrefix(line, "~~~")
}

// nextMath returns the length of what a text begins with, and the formula if that is one. What is between backticks is
// none.
func nextMath(text string) (n int, formula string) {
	switch {
	case text[0] == '`':
		mark := text[:len(text)-len(strings.TrimLeft(text, "`"))]
		if at := strings.Index(near(text[len(mark):]), mark); at >= 0 && !strings.Contains(text[:at], "\n\n") {
			return at + 2*len(mark), ""
		}
		return len(mark), ""
	case strings.HasPrefix(text, `\(`):
		return delimited(text, `\(`, `\)`)
	case strings.HasPrefix(text, `\[`):
		return delimited(text, `\[`, `\]`)
	case strings.HasPrefix(text, "$$"):
		return delimited(text, "$$", "$$")
	case text[0] == '$':
		return dollars(text)
	case text[0] == '\\' && len(text) > 1 && text[1] < utf8.RuneSelf && text[1] != '\n':
		return 2, ""
	}
	_, n = utf8.DecodeRuneInString(text)
	return n, ""
}

// near returns as much of a text as is searched for the end of a formula: else many beginnings would take hours.
func near(text string) string { return text[:min(len(text), longestFormula)] }

// delimited reads a formula between two marks. Without any sign of TeX the marks are escaped brackets.
func delimited(text, begin, end string) (n int, formula string) {
	at := strings.Index(near(text[len(begin):]), end)
	if at < 0 {
		return len(begin), ""
	}
	tex := text[len(begin) : len(begin)+at]
	n = len(begin) + at + len(end)
	isTeX := strings.ContainsAny(tex, `\^_=+<>/`) || len(strings.TrimSpace(tex)) == 1
	if strings.Contains(tex, "\n\n") || begin == `\[` && !isTeX {
		return len(begin), ""
	}
	return n, shownFormula(tex, text[:n])
}

// dollars reads a formula between single dollars. Sums of money are none.
func dollars(text string) (n int, formula string) {
	line, _, _ := strings.Cut(near(text[1:]), "\n")
	at := strings.IndexByte(line, '$')
	if at < 1 {
		return 1, ""
	}
	tex, behind := line[:at], line[at+1:]
	isAmount := tex[0] == ' ' || tex[at-1] == ' ' || behind != "" && behind[0] >= '0' && behind[0] <= '9'
	if isAmount || !strings.ContainsAny(tex, `\^_`) {
		return 1, ""
	}
	return at + 2, shownFormula(tex, text[:at+2])
}

// shownFormula returns a formula in Unicode, or as it is written.
func shownFormula(tex, written string) string {
	t := texReader{rest: strings.TrimSpace(tex)}
	if shown := t.read(""); !t.unsure && t.rest == "" && strings.TrimSpace(shown) != "" {
		return strings.TrimSpace(shown)
	}
	return written
}

// withMath puts the formulas back.
func (w *drawer) withMath(text string) string {
	if len(w.math) == 0 || !strings.ContainsFunc(text, w.isFormula) {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		if w.isFormula(r) {
			out.WriteString(w.math[r-firstFormula])
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

func (w *drawer) isFormula(r rune) bool {
	return r >= firstFormula && int(r-firstFormula) < len(w.math)
}

// texReader reads TeX as far as it is sure of it.
type texReader struct {
	rest   string
	depth  int
	unsure bool
}

// deepestTeX bounds how deep groups may lie in each other.
const deepestTeX = 20

// read returns the text up to an end mark, which it skips; "" is the end of the text.
func (t *texReader) read(end string) string {
	if t.depth++; t.depth > deepestTeX {
		t.unsure = true
	}
	defer func() { t.depth-- }()
	var out strings.Builder
	for t.rest != "" && !t.unsure {
		if end != "" && strings.HasPrefix(t.rest, end) {
			t.rest = t.rest[len(end):]
			return out.String()
		}
		out.WriteString(t.next())
	}
	t.unsure = t.unsure || end != ""
	return out.String()
}

// next returns the next sign.
func (t *texReader) next() string {
	r, n := utf8.DecodeRuneInString(t.rest)
	sign := t.rest[:n]
	t.rest = t.rest[n:]
	switch r {
	case '\\':
		return t.command()
	case '^':
		return t.raised(superscript)
	case '_':
		return t.raised(subscript)
	case '{':
		return t.read("}")
	case '}', '&', '%', '#', '$':
		t.unsure = true
	case '~', '\n':
		return " "
	case '-':
		return "−"
	case '\'':
		return "′"
	}
	return sign
}

// argument returns what a command applies to.
func (t *texReader) argument() string {
	t.rest = strings.TrimLeft(t.rest, " ")
	if t.rest == "" {
		t.unsure = true
		return ""
	}
	return t.next()
}

// raised returns an argument above or below the line, where there is a character for each of its parts.
func (t *texReader) raised(to func(rune) rune) string {
	var out strings.Builder
	for _, r := range t.argument() {
		if r == ' ' {
			continue
		}
		small := to(r)
		if small == 0 {
			t.unsure = true
			return ""
		}
		out.WriteRune(small)
	}
	return out.String()
}

// command reads a command.
func (t *texReader) command() string {
	name := t.rest[:wordLen(strings.ReplaceAll(t.rest, "_", "^"), "")]
	if name == "" {
		return t.symbol()
	}
	t.rest = t.rest[len(name):]
	switch name {
	case "frac", "dfrac", "tfrac":
		above := grouped(t.argument())
		return above + "/" + grouped(t.argument())
	case "sqrt":
		if strings.HasPrefix(t.rest, "[") {
			t.unsure = true
		}
		return "√" + grouped(t.argument())
	case "text", "textrm", "mathrm", "operatorname", "mathit", "mathbf", "textbf", "mathsf":
		return t.argument()
	case "mathbb":
		if set := doubled(t.argument()); set != "" {
			return set
		}
		t.unsure = true
		return ""
	case "left", "right", "big", "Big", "bigl", "bigr":
		t.rest = strings.TrimPrefix(t.rest, ".")
		return ""
	case "displaystyle", "limits", "nolimits":
		t.rest = strings.TrimLeft(t.rest, " ")
		return ""
	}
	sign := greek(name) + relation(name)
	t.unsure = t.unsure || sign == ""
	return sign
}

// symbol reads a command that is a single character.
func (t *texReader) symbol() string {
	if t.rest == "" {
		t.unsure = true
		return ""
	}
	sign := t.rest[:1]
	t.rest = t.rest[1:]
	switch sign {
	case ",", ";", ":", " ":
		return " "
	case "!":
		return ""
	case "{", "}", "%", "$", "#", "&", "_":
		return sign
	case "|":
		return "‖"
	}
	t.unsure = true
	return ""
}

// grouped puts what has more than one part in parentheses.
func grouped(text string) string {
	if wordLen(strings.TrimSpace(text), "._²³√") == len(strings.TrimSpace(text)) {
		return strings.TrimSpace(text)
	}
	return "(" + strings.TrimSpace(text) + ")"
}

func superscript(r rune) rune {
	return paired(r, "0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺-⁻−⁻=⁼(⁽)⁾nⁿiⁱTᵀ′′")
}

func subscript(r rune) rune {
	return paired(r, "0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊-₋−₋=₌(₍)₎iᵢjⱼnₙkₖmₘtₜaₐxₓ")
}

// paired returns the character after r in a list of pairs, 0 for none.
func paired(r rune, pairs string) rune {
	before := rune(0)
	for i, next := range []rune(pairs) {
		if i%2 == 1 && before == r {
			return next
		}
		before = next
	}
	return 0
}

// doubled returns a letter in the form of sets of numbers, "" for others.
func doubled(letter string) string {
	switch letter {
	case "R":
		return "ℝ"
	case "N":
		return "ℕ"
	case "Z":
		return "ℤ"
	case "Q":
		return "ℚ"
	case "C":
		return "ℂ"
	}
	return ""
}

// greek returns a letter by its name, "" for none.
func greek(name string) string {
	const letters = " alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ iota ι kappa κ " +
		"lambda λ mu μ nu ν xi ξ pi π rho ρ sigma σ tau τ upsilon υ phi φ varphi φ chi χ psi ψ omega " +
		"ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Phi Φ Psi Ψ Omega Ω ell ℓ hbar ℏ "
	return listed(name, letters)
}

// relation returns an operator, a relation or an arrow by its name, or the name of a function; "" for none.
func relation(name string) string {
	const signs = " times × cdot · div ÷ pm ± mp ∓ le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ approx ≈ equiv ≡ sim ∼ " +
		"propto ∝ infty ∞ to → rightarrow → leftarrow ← Rightarrow ⇒ implies ⇒ iff ⇔ leftrightarrow ↔ " +
		"mapsto ↦ in ∈ notin ∉ subset ⊂ subseteq ⊆ cup ∪ cap ∩ emptyset ∅ forall ∀ exists ∃ neg ¬ " +
		"land ∧ lor ∨ wedge ∧ vee ∨ sum ∑ prod ∏ int ∫ partial ∂ nabla ∇ cdots ⋯ ldots … dots … circ " +
		"∘ perp ⊥ parallel ∥ angle ∠ degree ° prime ′ langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ " +
		"rceil ⌉ mid | ll ≪ gg ≫ oplus ⊕ otimes ⊗ star ⋆ sin sin cos cos tan tan log log ln ln exp " +
		"exp lim lim max max min min det det dim dim gcd gcd mod mod arg arg "
	return listed(name, signs)
}

// listed returns what follows a name in a list.
func listed(name, list string) string {
	_, rest, ok := strings.Cut(list, " "+name+" ")
	if !ok {
		return ""
	}
	sign, _, _ := strings.Cut(rest, " ")
	return sign
}
