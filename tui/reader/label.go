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
// ended: "select! waits".
func cutSentence(text string) (sentence, rest string) {
	for from := 0; ; {
		end := sentenceEnd().FindStringIndex(text[from:])
		if end == nil {
			return text, ""
		}
		from += end[1]
		next, _ := utf8.DecodeRuneInString(text[from:])
		if !unicode.IsLower(next) {
			return strings.TrimSpace(text[:from]), text[from:]
		}
	}
}
