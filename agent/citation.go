package agent

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"lens/internal/lazyregexp"
)

// maxBracketBytes bounds how far away a citation's closing bracket may be: room for as many ids as a run
// reads turns. citationRunes may appear inside the brackets in addition to hexadecimal digits: separators, bold
// marks and escapes, invisible characters, full-width digits, and the letters of "turn", "source",
// "citation", "reference" and "and".
const (
	maxBracketBytes = 1000
	citationRunes   = " \n\u00a0,;&-–^†:*_\\\u200b\u2060、，０１２３４５６７８９turnsoiTURNSOI"
)

var closingBracket = map[rune]rune{'[': ']', '【': '】', '［': '］'}

// bracketContent returns the text inside the bracket pair that s begins with, and the length of the pair.
// With used 0, s begins with no citation if decided; otherwise more text is needed.
func bracketContent(s string) (inside string, used int, decided bool) {
	open, size := utf8.DecodeRuneInString(s)
	for i, r := range s[size:] {
		switch {
		case r == closingBracket[open]:
			return s[size : size+i], size + i + utf8.RuneLen(r), true
		case i > maxBracketBytes || !isHex(r) && !strings.ContainsRune(citationRunes, r):
			return "", 0, r != utf8.RuneError || size+i+utf8.UTFMax < len(s)
		}
	}
	return "", 0, false
}

// citedItem is one item inside a pair of brackets: numbers, or the start of an id.
type citedItem struct {
	raw     string
	numbers []int
	id      string
}

var (
	separator   = lazyregexp.New(`[,;&、，]|\band\b`)
	labelWord   = lazyregexp.New(`^(turn|source|reference|ref|citation|cite)s?[ :]*`)
	number      = lazyregexp.New(`^\^?([0-9]{1,3})\^?$`)
	numberRange = lazyregexp.New(`^([0-9]{1,3}) ?[-–] ?([0-9]{1,3})$`)
	idStart     = lazyregexp.New(`^[0-9a-f]{8}(-[0-9a-f-]*)?$`)
	sourceMark  = lazyregexp.New(`^([0-9]{1,3})(:[0-9]{1,3})?†(source|turn)?s?$`)
	stripMarkup = strings.NewReplacer(`\`, "", "*", "", "_", "", "\u200b", "", "\u2060", "", "\n", " ", "\u00a0", " ",
		"０", "0", "１", "1", "２", "2", "３", "3", "４", "4",
		"５", "5", "６", "6", "７", "7", "８", "8", "９", "9")
)

// parseCitations parses the text inside a pair of brackets. It returns nil for anything but citations.
func parseCitations(inside string) []citedItem {
	var all []citedItem
	for _, raw := range separator().Split(stripMarkup.Replace(inside), -1) {
		raw = strings.TrimSpace(raw)
		if raw == "" {
			continue
		}
		item, ok := parseCitation(raw)
		if !ok {
			return nil
		}
		all = append(all, item)
	}
	return all
}

func parseCitation(raw string) (citedItem, bool) {
	text := strings.ToLower(raw)
	text = text[len(labelWord().FindString(text)):]
	if m := sourceMark().FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	if m := number().FindStringSubmatch(text); m != nil {
		return citedItem{raw: raw, numbers: []int{atoi(m[1])}}, true
	}
	if m := numberRange().FindStringSubmatch(text); m != nil {
		return citedItem{raw: raw, numbers: numbersFromTo(atoi(m[1]), atoi(m[2]))}, true
	}
	if idStart().MatchString(text) && strings.ContainsAny(text, "abcdef-") {
		return citedItem{raw: raw, id: text}, true
	}
	return citedItem{}, false
}

// numbersFromTo returns the numbers from a to b. An implausible range becomes [0], which cites nothing.
func numbersFromTo(a, b int) []int {
	if b < a || b-a > 20 {
		return []int{0}
	}
	var all []int
	for n := a; n <= b; n++ {
		all = append(all, n)
	}
	return all
}

// idLength is the length of a turn id: 8-4-4-4-12 hexadecimal digits.
const idLength = 36

// idPrefix returns how many bytes of s look like the start of a turn id, and whether the id is complete.
func idPrefix(s string) (n int, complete bool) {
	for n < len(s) && n < idLength {
		hyphen := n == 8 || n == 13 || n == 18 || n == 23
		if hyphen != (s[n] == '-') || !hyphen && !isHex(rune(s[n])) {
			break
		}
		n++
	}
	return n, n == idLength
}

// citationMarks matches citations in earlier answers. Their numbers refer to another run, so they are
// removed.
var citationMarks = lazyregexp.New(`\s?\[[0-9]{1,3}\]`)

func atoi(s string) int { n, _ := strconv.Atoi(s); return n }

func itoa(n int) string { return strconv.Itoa(n) }
