package store

import (
	"slices"
	"strings"
)

// FactsVersion is the version of the facts of a turn. Every change to Turn.Facts must increment it, and give what
// changes another name: the facts that an older Lens wrote stay where they are.
const FactsVersion = 1

// HasCode is the fact of a turn that one of its texts has code.
const HasCode = ":has=code"

// factsTerm lists the turns whose facts are indexed, with the version of the facts as their count. A turn without it
// was indexed by a Lens that knew none.
const factsTerm = ":facts"

// OfModel returns the fact of a turn that a model answered it. The case of slug does not matter.
func OfModel(slug string) string { return factTerm(":", "model="+strings.ToLower(slug)) }

// InLanguage returns the fact of a turn that one of its texts is in the language with an ISO 639-1 code.
func InLanguage(code string) string { return factTerm(":", "language="+code) }

// WordIn returns the fact of a turn that a text in the language with a code has a word with a stem. Its count is how
// often.
func WordIn(code, stem string) string { return factTerm(":"+code+"=", stem) }

// Slugs returns the names of models in lower case and in ascending order, each once.
func Slugs(models []string) []string {
	slugs := make([]string, len(models))
	for i, model := range models {
		slugs[i] = strings.ToLower(model)
	}
	slices.Sort(slugs)
	return slices.Compact(slugs)
}

// Facts returns the facts of a turn, as terms with their counts.
func (t *Turn) Facts() []TermCount {
	facts := []TermCount{{Term: factsTerm, Count: FactsVersion}}
	if t.CodeType || hasFence(t.UserText) || hasFence(t.AssistantText) {
		facts = append(facts, TermCount{Term: HasCode, Count: 1})
	}
	if t.Model != "" {
		facts = append(facts, TermCount{Term: OfModel(t.Model), Count: 1})
	}
	return facts
}

// hasFence reports whether a line of text opens a fenced code block: whether it begins with ``` or ~~~, perhaps
// indented. Three backticks with another behind them on the line are code within a line (CommonMark 0.31, 4.5).
func hasFence(text string) bool {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return false
	}
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t")
		info, backticks := strings.CutPrefix(line, "```")
		if strings.HasPrefix(line, "~~~") || backticks && !strings.Contains(strings.TrimLeft(info, "`"), "`") {
			return true
		}
	}
	return false
}
