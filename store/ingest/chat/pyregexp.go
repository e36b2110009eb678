package chat

import (
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf8"
)

// pyRegexp is a regular expression of Python as far as RE2 has it: no looking around, no references back.
type pyRegexp struct {
	*regexp.Regexp // nil: literal is found as it is
	literal        string
	cost           int // steps for a byte of text
}

// Limits of an expression. All expressions of a conversation may take so many steps: see Edits. For each match, RE2
// takes at most a step for each instruction and byte of text, and groupSteps for a byte and a group, which it copies; a
// step takes about 25 ns. To parse a byte of a pattern counts as parseSteps, to compile an instruction as compileSteps.
// A literal is limited by the bytes that edits may search alone.
const (
	maxPattern      = 4 << 10
	maxLiteral      = 64 << 10
	maxSearched     = 512 << 10 // bytes of text
	maxInstructions = 2_000
	maxGroups       = 20
	maxMatches      = 10_000
	groupSteps      = 8
	parseSteps      = 1_000
	compileSteps    = 50
)

// wholeText are the patterns that stand for a whole text.
var wholeText = map[string]bool{
	".*": true, "^.*$": true, "(?s).*": true, "(?s)^.*$": true, `[\s\S]*`: true, `^[\s\S]*$`: true, `[\s\S]+`: true,
	`^[\s\S]+$`: true, "(?s).+": true, `\A[\s\S]*\Z`: true, `(?s)\A.*\Z`: true,
}

// instructions estimates the size of the program of an expression, before it is made.
func instructions(re *syntax.Regexp) int {
	n := 1
	if re.Op == syntax.OpLiteral {
		n = len(re.Rune)
	}
	n += len(re.Rune) / 8 // of a class
	for _, sub := range re.Sub {
		n += instructions(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(1, re.Min, re.Max)
	}
	return min(n, 2*maxInstructions)
}

// pyClasses are the classes of Python that have more characters than those of RE2: inside brackets and alone.
var pyClasses = map[byte][2]string{
	'w': {`\p{L}\p{N}_`, `[\p{L}\p{N}_]`}, 'W': {`\W`, `[^\p{L}\p{N}_]`},
	'd': {`\p{Nd}`, `\p{Nd}`}, 'D': {`\P{Nd}`, `\P{Nd}`},
	's': {`\s\v\x{85}\p{Z}`, `[\s\v\x{85}\p{Z}]`}, 'S': {`\S`, `[^\s\v\x{85}\p{Z}]`},
	'Z': {`Z`, `\z`},
}

// translatePython writes what RE2 has under another name as RE2 has it.
func translatePython(pattern string) string {
	var b strings.Builder
	class := 0 // length of the open class so far; 0: none
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		if c != '\\' || i+1 == len(pattern) {
			switch {
			case class == 0 && c == '[', class > 0 && !(c == ']' && class > 1):
				class++
			case class > 0:
				class = 0
			}
			if class == 2 && c == '^' {
				class = 1 // what follows is still the first
			}
			b.WriteByte(c)
			continue
		}
		i++
		inside, digits := class > 0, 4
		class += boolToInt(inside)
		if pattern[i] == 'U' {
			digits = 8
		}
		names, known := pyClasses[pattern[i]]
		switch {
		case known && inside:
			b.WriteString(names[0])
		case known:
			b.WriteString(names[1])
		case (pattern[i] == 'u' || pattern[i] == 'U') && len(pattern) > i+digits && isHex(pattern[i+1:i+1+digits]):
			b.WriteString(`\x{` + pattern[i+1:i+1+digits] + `}`)
			i += digits
		default:
			b.WriteString(pattern[i-1 : i+1])
		}
	}
	return b.String()
}

func isHex(digits string) bool {
	return strings.TrimFunc(digits, func(r rune) bool { return r < utf8.RuneSelf && isHexDigit(byte(r)) }) == ""
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// expand appends a replacement of Python's to dst, for a match in text. False: it names a group that there is not, or
// dst becomes too long.
func (re pyRegexp) expand(dst []byte, replacement, text string, match []int) ([]byte, bool) {
	for len(dst) <= MaxText {
		before, rest, found := strings.Cut(replacement, `\`)
		dst = append(dst, before...)
		if !found {
			return dst, true
		}
		if rest == "" {
			return append(dst, '\\'), true
		}
		c := rest[0]
		replacement = rest[1:]
		var name string
		switch {
		case c == 'g' && strings.HasPrefix(replacement, "<"):
			var after string
			if name, after, found = strings.Cut(replacement[1:], ">"); !found {
				return dst, false
			}
			replacement = after
		case '1' <= c && c <= '9':
			name = string(c)
			if replacement != "" && '0' <= replacement[0] && replacement[0] <= '9' {
				name, replacement = name+replacement[:1], replacement[1:]
			}
		default:
			if escaped := strings.IndexByte("abfnrtv", c); escaped >= 0 {
				dst = append(dst, "\a\b\f\n\r\t\v"[escaped])
			} else if c == '\\' {
				dst = append(dst, '\\')
			} else {
				dst = append(dst, '\\', c)
			}
			continue
		}
		group, err := strconv.Atoi(name)
		if err != nil {
			if group = -1; re.Regexp != nil {
				group = re.SubexpIndex(name)
			}
		}
		if group < 0 || 2*group+1 >= len(match) {
			return dst, false
		}
		if match[2*group] >= 0 {
			dst = append(dst, text[match[2*group]:match[2*group+1]]...)
		}
	}
	return dst, false
}

// Substitute replaces what a regular expression of Python finds in a document, the first match or all of them, as
// Python's Match.expand does. A pattern for the whole text replaces it as it is. What RE2 cannot do, or not within the
// limits, is noted as not applied.
func (e *Edits) Substitute(d *Edited, pattern, replacement string, all bool) {
	if wholeText[pattern] {
		e.Write(d, replacement)
		return
	}
	if e.budget -= len(pattern) + len(replacement) + len(d.Text); e.budget < 0 || len(pattern) > maxLiteral {
		e.Undone(d, replacement)
		return
	}
	for _, flags := range []string{"", "(?m)", "(?s)"} {
		re, ok := e.compile(flags, pattern)
		if !ok {
			break
		}
		matches := e.find(re, d.Text, all)
		if len(matches) == 0 {
			continue
		}
		text, ok := re.replace(d.Text, replacement, matches)
		if e.budget -= len(text); ok {
			old := d.Text
			d.Version++
			d.Text = string(text)
			e.takenOut(d, old)
			return
		}
		break
	}
	e.Undone(d, replacement)
}

// compile compiles an expression, false if RE2 cannot, or if it is too large. A literal has no flags.
func (e *Edits) compile(flags, pattern string) (re pyRegexp, ok bool) {
	if literal, ok := literalOf(pattern); ok {
		re.literal = literal
		return re, flags == ""
	}
	if len(pattern) > maxPattern {
		return re, false
	}
	pattern = flags + translatePython(pattern)
	if !e.take(parseSteps * len(pattern)) {
		return re, false
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || parsed.MaxCap() > maxGroups {
		return re, false
	}
	size := instructions(parsed)
	re.cost = size + groupSteps*(1+parsed.MaxCap())
	if size > maxInstructions || !e.take(compileSteps*size) {
		return re, false
	}
	re.Regexp, err = regexp.Compile(pattern)
	return re, err == nil
}

// take takes steps off those that are left, false if these are fewer.
func (e *Edits) take(steps int) bool {
	if steps > e.steps {
		return false
	}
	e.steps -= steps
	return true
}

// literalOf returns the only text that a pattern finds, false if it may find others.
func literalOf(pattern string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern) && strings.IndexByte("nt", pattern[i+1]) >= 0:
			i++
			b.WriteByte(map[byte]byte{'n': '\n', 't': '\t'}[pattern[i]])
		case c == '\\' && i+1 < len(pattern) && isPunctuation(pattern[i+1]):
			i++
			b.WriteByte(pattern[i])
		case strings.IndexByte(`\.*+?()[]{}|^$`, c) >= 0:
			return "", false
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), b.Len() > 0
}

func isPunctuation(c byte) bool {
	return ' ' <= c && c < 0x7f && !('0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z')
}

// find returns the first match or all of them, none when that would take too many steps.
func (e *Edits) find(re pyRegexp, text string, all bool) [][]int {
	if re.Regexp == nil {
		return findLiteral(re.literal, text, all)
	}
	steps := (len(text) + 1) * re.cost // for each match
	most := 1
	if all {
		most = min(maxMatches, e.steps/steps)
	}
	if most == 0 || len(text) > maxSearched || !e.take(steps) {
		return nil
	}
	matches := re.FindAllStringSubmatchIndex(text, most)
	if !e.take(steps*max(0, len(matches)-1)) || all && len(matches) == most { // there may be more
		return nil
	}
	return matches
}

// findLiteral returns the first place of literal in text or all of them, none when these are too many.
func findLiteral(literal, text string, all bool) (matches [][]int) {
	for from := 0; ; {
		at := strings.Index(text[from:], literal)
		if at < 0 {
			return matches
		}
		from += at + len(literal)
		matches = append(matches, []int{from - len(literal), from})
		if !all {
			return matches
		}
		if len(matches) > maxMatches {
			return nil
		}
	}
}

// replace returns text with matches replaced, false if the replacement does not fit them or the result is too long.
func (re pyRegexp) replace(text, replacement string, matches [][]int) (out []byte, ok bool) {
	from := 0
	for _, match := range matches {
		out = append(out, text[from:match[0]]...)
		if out, ok = re.expand(out, replacement, text, match); !ok || len(out) > MaxText {
			return out, false
		}
		from = match[1]
	}
	out = append(out, text[from:]...)
	return out, len(out) <= MaxText && utf8.Valid(out)
}
