package documents

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"

	"lens/store"
)

// The sizes of chunks, in tokens.
const (
	maxTokens     = 300 // a chunk is no longer, but for the last of a section, which may have half of least besides
	minTokens     = 100 // a section that is shorter shares its chunk with the next one; what is left of a longer one does not
	overlapTokens = 40  // at most, of the end of one chunk, at the beginning of the next
)

// piece is a chunk.
type piece struct {
	headings []string
	text     string
	pages    store.PageSpan
}

// unit is what is never cut: a sentence, or a line.
type unit struct {
	*block
	text   string
	tokens int
}

// cutter fills one chunk after the other.
type cutter struct {
	pieces   []piece
	units    []unit
	tokens   int    // of units
	repeated int    // how many of units the chunk before has too
	last     []unit // of the chunk before, of the same section
}

func cut(blocks []block) []piece {
	c := new(cutter)
	for i := range blocks {
		b := &blocks[i]
		if n := len(c.units); n > 0 && !sameHeadings(c.units[n-1].headings, b.headings) && (c.tokens >= minTokens || c.repeated > 0) {
			c.endSection()
		}
		for _, u := range units(b) {
			c.add(u)
		}
	}
	c.endSection()
	return c.pieces
}

// endSection ends the last chunk of a section: the next one begins with nothing of it. What is too little to stand alone goes to the
// chunk before.
func (c *cutter) endSection() {
	rest := 0
	for _, u := range c.units[c.repeated:] {
		rest += u.tokens
	}
	if c.repeated > 0 && rest > 0 && rest < minTokens/2 {
		c.pieces[len(c.pieces)-1] = pieceOf(append(c.last, c.units[c.repeated:]...))
	} else {
		c.end()
	}
	c.units, c.tokens, c.repeated, c.last = nil, 0, 0, nil
}

func (c *cutter) add(u unit) {
	if c.tokens+u.tokens > maxTokens && len(c.units) > c.repeated {
		c.end()
	}
	c.units = append(c.units, u)
	c.tokens += u.tokens
}

// end ends a chunk, unless there is nothing new in it, and begins the next one with its last sentences.
func (c *cutter) end() {
	if len(c.units) == c.repeated {
		return
	}
	c.pieces = append(c.pieces, pieceOf(c.units))
	from, tokens := len(c.units), 0
	last := c.units[from-1]
	for from > 1 && !c.units[from-1].code && sameHeadings(c.units[from-1].headings, last.headings) && tokens+c.units[from-1].tokens <= overlapTokens {
		from--
		tokens += c.units[from].tokens
	}
	c.last = c.units
	c.units = append([]unit(nil), c.units[from:]...)
	c.tokens, c.repeated = tokens, len(c.units)
}

// pieceOf puts units together again. Headings that not all of them have stand above those that do.
func pieceOf(units []unit) piece {
	p := piece{headings: units[0].headings}
	for _, u := range units {
		p.headings = p.headings[:sharedHeadings(p.headings, u.headings)]
	}
	var b strings.Builder
	var last *block
	for _, u := range units {
		switch {
		case last == u.block:
			if u.code {
				b.WriteByte('\n')
			}
		case last != nil:
			b.WriteString("\n\n")
		}
		if own := u.headings[len(p.headings):]; len(own) > 0 && (last == nil || !sameHeadings(last.headings, u.headings)) {
			b.WriteString(strings.Join(own, " › ") + "\n\n")
		}
		b.WriteString(u.text)
		if last = u.block; u.page > 0 {
			p.pages.Last = u.page
			if p.pages.First == 0 {
				p.pages.First = u.page
			}
		}
	}
	p.text = b.String()
	return p
}

func sameHeadings(a, b []string) bool { return len(a) == len(b) && sharedHeadings(a, b) == len(a) }

// sharedHeadings returns how many headings both begin with.
func sharedHeadings(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// units returns the sentences of a block (Unicode's, UAX #29), or its lines. What is longer than a chunk is cut between words.
func units(b *block) (all []unit) {
	add := func(s string) {
		for _, part := range splitLong(s) {
			all = append(all, unit{block: b, text: part, tokens: tokens(part)})
		}
	}
	if b.code {
		for line := range strings.Lines(b.text) {
			add(strings.TrimSuffix(line, "\n"))
		}
		return all
	}
	for s := sentences.FromString(b.text); s.Next(); {
		add(s.Value())
	}
	return all
}

// splitLong cuts s where it is longer than a chunk: behind a blank, or, where there is none, anywhere.
func splitLong(s string) (all []string) {
	const most = 4 * maxTokens // bytes; never more than wanted tokens
	for len(s) > most {
		at := strings.LastIndexAny(s[:most], " \t\n") + 1
		if at == 0 {
			for at = most; !utf8.RuneStart(s[at]); at-- {
			}
		}
		all, s = append(all, s[:at]), s[at:]
	}
	return append(all, s)
}

// tokens estimates how many tokens a model makes of s: a token is about four letters of a script with spaces, and a little less than one
// character of a script without.
func tokens(s string) int {
	quarters := 0
	for _, r := range s {
		if quarters++; r >= 0x2E80 {
			quarters += 2
		}
	}
	return (quarters + 3) / 4
}
