package reader

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"lens/internal/lazyregexp"
	"lens/tui/theme"
)

// leastLabel is how many cells a sentence has at least that names a turn: shorter ones, as "Thanks!", name many.
const leastLabel = 14

// sentenceEnd matches where a sentence may end.
var sentenceEnd = lazyregexp.New(`[.!?]\s|[。！？]`)

// label names a turn in at most width cells by its first sentence that is not too short, cut between words
// where that costs little.
func label(opening string, width int, ellipsis string) string {
	says := opening
	for rest := opening; rest != ""; {
		var sentence string
		if sentence, rest = cutSentence(rest); theme.Width(sentence) >= leastLabel {
			says = sentence
			break
		}
	}
	if whole := strings.TrimSuffix(says, "."); !strings.HasSuffix(whole, ".") {
		says = whole
	}
	if theme.Width(says) <= width {
		return says
	}
	cut := ansi.Truncate(says, max(0, width-theme.Width(ellipsis)), "")
	if words := strings.LastIndex(cut, " "); !strings.HasPrefix(says[len(cut):], " ") && words > len(cut)*4/5 {
		cut = cut[:words]
	}
	return strings.TrimRight(cut, " ,;:") + ellipsis
}

// cutSentence returns the first sentence of a text, and what follows it. One that goes on with a small letter has not
// ended: "select! waits". Nor has one after an abbreviation.
func cutSentence(text string) (sentence, rest string) {
	for from := 0; ; {
		end := sentenceEnd().FindStringIndex(text[from:])
		if end == nil {
			return text, ""
		}
		before := text[:from+end[0]]
		from += end[1]
		next, _ := utf8.DecodeRuneInString(text[from:])
		if !unicode.IsLower(next) && !(text[len(before)] == '.' && isAbbreviated(before)) {
			return strings.TrimSpace(text[:from]), text[from:]
		}
	}
}

// isAbbreviated reports whether the last word of a text, before a full stop, seems to be an abbreviation: J, U.S, Mr.
func isAbbreviated(text string) bool {
	word := strings.TrimRight(text[strings.LastIndexAny(text, " \n\t")+1:], ".")
	first, size := utf8.DecodeRuneInString(word)
	return size == len(word) || strings.Contains(word, ".") || unicode.IsUpper(first) && utf8.RuneCountInString(word) <= 3
}
