package demo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The syntax of the templates. A line that begins with ? is a question. The lines below it may answer that question in
// particular:
//
//	! one of these lines opens the answer, in place of the answer's first choice
//	!! this line is the whole answer; " // " breaks it into lines
//
// The answer to all questions of an exchange follows. The first character of a line says how to use it:
//
//	= take one of the adjacent lines
//	* take some of the adjacent lines, in any order, as a list
//	~ take one of the adjacent lines, or none
//
// All other lines, and those between ``` fences, are copied. Anywhere in a text,
//
//	«a|b|c»  becomes one of these
//	«flour»  becomes one of the values of the topic's slot, the same throughout a conversation
//
// and anything else in guillemets stays.

// block is a run of adjacent lines of one kind.
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

// renderer fills in the templates of one conversation and remembers its slots.
type renderer struct {
	*rng
	topic *topic
	slots map[string]string
}

// answer renders an answer to a question of an exchange.
func (s *renderer) answer(e *exchange, variant int) string {
	asked, body := &e.questions[variant], e.answer
	if asked.whole != "" {
		return s.fill(asked.whole)
	}
	var lines []string
	if len(asked.leads) > 0 {
		lines = append(lines, pick(s.rng, asked.leads), "")
		if body[0].kind == '=' {
			body = body[1:]
		}
	}
	for _, b := range body {
		switch b.kind {
		case '=':
			lines = append(lines, pick(s.rng, b.lines), "")
		case '*':
			lines = append(lines, "")
			for _, item := range s.sample(b.lines) {
				lines = append(lines, "- "+item)
			}
			lines = append(lines, "")
		case '~':
			if s.chance(50) {
				lines = append(lines, "", pick(s.rng, b.lines), "")
			}
		default:
			lines = append(lines, b.lines...)
		}
	}
	return s.fill(joinLines(lines))
}

// sample returns at least three fifths of items, in any order.
func (s *renderer) sample(items []string) []string {
	n := len(items)
	return shuffled(s.rng, items)[:s.between(min(n, max(2, n*3/5)), n)]
}

// joinLines joins lines and collapses runs of empty ones.
func joinLines(lines []string) string {
	lines = slices.CompactFunc(lines, func(a, b string) bool { return a == "" && b == "" })
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// fill replaces the text in guillemets.
func (s *renderer) fill(text string) string {
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

func (s *renderer) value(inside string) string {
	if options := strings.Split(inside, "|"); len(options) > 1 {
		return pick(s.rng, options)
	}
	values, ok := s.topic.slots[inside]
	if !ok {
		return "«" + inside + "»"
	}
	if s.slots[inside] == "" {
		s.slots[inside] = pick(s.rng, values)
	}
	return s.slots[inside]
}

// question renders a question of an exchange. A later question of a conversation may begin with a word about the
// previous answer, and any may end with an aside. photo is the file name of its picture, "" for none.
func (s *renderer) question(e *exchange, variant int, first bool) (text, photo string) {
	text = e.questions[variant].text
	if rest, ok := strings.CutPrefix(text, "[photo "); ok {
		photo, text, _ = strings.Cut(rest, "] ")
	}
	if !first && s.chance(45) {
		text = strings.TrimSpace(pick(s.rng, s.topic.follow) + " " + text)
	}
	if len(s.topic.asides) > 0 && s.chance(55) {
		text += " " + pick(s.rng, s.topic.asides)
	}
	return s.fill(text), photo
}

// title returns the title of a conversation that begins with e.
func (s *renderer) title(e *exchange) string {
	title := s.fill(e.title)
	if len(title) > 0 && title[0] >= 'a' && title[0] <= 'z' {
		title = strings.ToUpper(title[:1]) + title[1:]
	}
	return title
}

// photoID returns an ID as exports use for pictures.
func (s *renderer) photoID() string {
	first := strconv.FormatUint(s.source.Uint64(), 16)
	return fmt.Sprintf("file_%s%s", first, strconv.FormatUint(s.source.Uint64()>>32, 16))
}
