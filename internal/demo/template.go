package demo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// How the texts are written. A question stands on a line that begins with ?. Below it may stand what answers it in particular:
//
//	! one such line opens the answer, in place of the answer's first choice
//	!! this line is the whole answer; " // " breaks it into lines
//
// The answer to all questions of an exchange follows. Every line of it begins with what is done with it:
//
//	= one of the lines that stand together is taken
//	* some of the lines that stand together are taken, in any order, as a list
//	~ taken or left
//
// and all other lines, and those between ``` fences, stand as they are. Anywhere in a text,
//
//	«a|b|c»  is one of these
//	«flour»  is one of the values of the topic's slot, the same in a whole conversation
//
// and what is neither stays, guillemets included.

// block is a run of lines of one kind.
type block struct {
	kind  byte // '=', '*', '~', or 0
	lines []string
}

// blocks groups the lines of an answer.
func blocks(lines []string) (all []block) {
	fenced := false
	for _, line := range lines {
		kind := byte(0)
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		} else if !fenced && len(line) > 2 && line[1] == ' ' && strings.IndexByte("=*~", line[0]) >= 0 {
			kind, line = line[0], line[2:]
		}
		if n := len(all); n > 0 && all[n-1].kind == kind {
			all[n-1].lines = append(all[n-1].lines, line)
			continue
		}
		all = append(all, block{kind, []string{line}})
	}
	return all
}

// speaker fills templates for one conversation, whose slots it remembers.
type speaker struct {
	*dice
	topic *topic
	slots map[string]string
}

// answer makes one answer to a question of an exchange.
func (s *speaker) answer(e *exchange, variant int) string {
	asked, body := &e.questions[variant], e.answer
	if asked.whole != "" {
		return s.fill(asked.whole)
	}
	var lines []string
	if len(asked.leads) > 0 {
		lines = append(lines, pick(s.dice, asked.leads), "")
		if body[0].kind == '=' {
			body = body[1:]
		}
	}
	for _, b := range body {
		switch b.kind {
		case '=':
			lines = append(lines, pick(s.dice, b.lines), "")
		case '*':
			lines = append(lines, "")
			for _, item := range s.some(b.lines) {
				lines = append(lines, "- "+item)
			}
			lines = append(lines, "")
		case '~':
			if s.chance(50) {
				lines = append(lines, "", pick(s.dice, b.lines), "")
			}
		default:
			lines = append(lines, b.lines...)
		}
	}
	return s.fill(tidy(lines))
}

// some takes three fifths of items or more, in any order.
func (s *speaker) some(items []string) []string {
	n := len(items)
	return shuffled(s.dice, items)[:s.between(min(n, max(2, n*3/5)), n)]
}

// tidy joins lines without runs of empty ones.
func tidy(lines []string) string {
	lines = slices.CompactFunc(lines, func(a, b string) bool { return a == "" && b == "" })
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// fill replaces what stands in guillemets.
func (s *speaker) fill(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "«")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		inside, after, _ := strings.Cut(rest, "»")
		b.WriteString(s.value(inside))
		text = after
	}
}

func (s *speaker) value(inside string) string {
	if options := strings.Split(inside, "|"); len(options) > 1 {
		return pick(s.dice, options)
	}
	values, ok := s.topic.slots[inside]
	if !ok {
		return "«" + inside + "»"
	}
	if s.slots[inside] == "" {
		s.slots[inside] = pick(s.dice, values)
	}
	return s.slots[inside]
}

// question makes one question of an exchange; a later one of a conversation may begin with a word about the answer before, and
// any may end with an aside. photo is the name
// of the picture that comes with it, if any.
func (s *speaker) question(e *exchange, variant int, first bool) (text, photo string) {
	text = e.questions[variant].text
	if rest, ok := strings.CutPrefix(text, "[photo "); ok {
		photo, text, _ = strings.Cut(rest, "] ")
	}
	if !first && s.chance(45) {
		text = strings.TrimSpace(pick(s.dice, s.topic.follow) + " " + text)
	}
	if len(s.topic.asides) > 0 && s.chance(55) {
		text += " " + pick(s.dice, s.topic.asides)
	}
	return s.fill(text), photo
}

// title is the title of a conversation that begins with e.
func (s *speaker) title(e *exchange) string {
	title := s.fill(e.title)
	if len(title) > 0 && title[0] >= 'a' && title[0] <= 'z' {
		title = strings.ToUpper(title[:1]) + title[1:]
	}
	return title
}

// photoID is the id that a picture has in an export.
func (s *speaker) photoID() string {
	return fmt.Sprintf("file_%s%s", strconv.FormatUint(s.source.Uint64(), 16), strconv.FormatUint(s.source.Uint64()>>32, 16))
}
