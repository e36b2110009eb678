package documents

import (
	"path"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"

	"lens/store"
	"lens/store/ingest/chat"
)

// The sizes of chunks, in tokens.
const (
	// maxTokens bounds a chunk. The last chunk of a section may have up to half of minTokens more.
	maxTokens = 300
	// minTokens is the size below which a section shares its chunk with the next one. The rest of a longer section does
	// not.
	minTokens = 100
	// overlapTokens bounds how much of the end of a chunk the next one repeats.
	overlapTokens = 40
)

// piece is a chunk.
type piece struct {
	headings []string
	text     string
	pages    store.PageSpan
}

// unit is a part of a block that is never divided: a sentence, or a line of code.
type unit struct {
	*block
	text   string
	tokens int
}

// cutter fills one chunk after another.
type cutter struct {
	pieces   []piece
	units    []unit
	tokens   int    // of units
	repeated int    // how many of units repeat the end of the previous chunk
	last     []unit // of the previous chunk of the same section
}

// Cut cuts a text into the pieces of a document. The extension of name says what it is, then mime; anything unknown is
// plain text, and so is one that has nothing but headings. A text without words has no pieces.
func Cut(name, mime, text string) (pieces []chat.Piece) {
	text = strings.ReplaceAll(strings.ReplaceAll(chat.Clean(text), "\r\n", "\n"), "\r", "\n")
	t := readerOf(name, mime)(text)
	all := t.pieces()
	if len(all) == 0 {
		t = readPlain(text)
		all = t.pieces()
	}
	for i, p := range all {
		heading := strings.Join(p.headings, chat.HeadingSeparator)
		pieces = append(pieces, chat.Piece{Heading: heading, Text: p.text, Chunk: store.Chunk{Seq: i}})
	}
	return pieces
}

// readerOf returns the reader of a text by its name and MIME type. What a service extracted of a PDF or a page is
// plain text.
func readerOf(name, mime string) func(string) text {
	ext := strings.ToLower(path.Ext(name))
	switch _, code := languages[ext]; {
	case ext == ".md", ext == ".markdown", mime == "text/markdown" && !code:
		return readMarkdown
	case ext == ".org":
		return readOrg
	case code, lineFiles[ext], codeTypes[mime], strings.HasPrefix(mime, "text/x-"):
		return readCode
	}
	return readPlain
}

// lineFiles are the extensions, codeTypes the MIME types of other texts that are cut between lines.
var lineFiles = map[string]bool{".html": true, ".htm": true, ".svg": true, ".xml": true, ".json": true, ".csv": true}

var codeTypes = map[string]bool{
	"application/vnd.ant.code": true, "application/vnd.ant.react": true, "application/vnd.ant.mermaid": true,
	"text/html": true, "image/svg+xml": true, "application/json": true,
}

// block adds a block.
func (c *cutter) block(b *block) {
	long := c.tokens >= minTokens || c.repeated > 0
	if n := len(c.units); n > 0 && long && !sameHeadings(c.units[n-1].headings, b.headings) {
		c.endSection()
	}
	units(b, c.add)
}

// endSection ends the last chunk of a section: the next chunk repeats nothing of it. A rest that is too short for a
// chunk joins the previous one.
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
	if strings.TrimSpace(u.text) == "" { // a part of very much white space
		return
	}
	if c.tokens+u.tokens > maxTokens && len(c.units) > c.repeated {
		c.end()
	}
	c.units = append(c.units, u)
	c.tokens += u.tokens
}

// end ends a chunk, unless it holds nothing new, and begins the next one with its last sentences.
func (c *cutter) end() {
	if len(c.units) == c.repeated {
		return
	}
	c.pieces = append(c.pieces, pieceOf(c.units))
	from, tokens := len(c.units), 0
	last := c.units[from-1]
	for from > 1 {
		u := c.units[from-1]
		if u.code || !sameHeadings(u.headings, last.headings) || tokens+u.tokens > overlapTokens {
			break
		}
		from--
		tokens += u.tokens
	}
	c.last = c.units
	c.units = append([]unit(nil), c.units[from:]...)
	c.tokens, c.repeated = tokens, len(c.units)
}

// pieceOf joins units. The piece has the headings that all units share; other headings come before their units in the
// text.
func pieceOf(units []unit) piece {
	p := piece{headings: units[0].headings}
	for _, u := range units {
		p.headings = p.headings[:sharedHeadings(p.headings, u.headings)]
	}
	var b strings.Builder
	size := 0
	for _, u := range units {
		size += len(u.text) + len("\n\n")
	}
	b.Grow(size)
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

// sharedHeadings returns the length of the common prefix of a and b.
func sharedHeadings(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// units calls add for each sentence of a block (UAX #29), or for each of its lines if it is code. Units longer than a
// chunk are cut between words.
func units(b *block, add func(unit)) {
	split := func(s string) {
		for _, part := range splitLong(s) {
			add(unit{block: b, text: part, tokens: tokens(part)})
		}
	}
	if b.code {
		for line := range strings.Lines(b.text) {
			split(strings.TrimSuffix(line, "\n"))
		}
		return
	}
	for s := sentences.FromString(b.text); s.Next(); {
		split(s.Value())
	}
}

// splitLong cuts s into parts no longer than a chunk: after white space or, if there is none, anywhere.
func splitLong(s string) (all []string) {
	const most = 4 * maxTokens // bytes; never more than maxTokens tokens
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

// tokens estimates the number of tokens in s: one per four letters of a script with spaces, and three per
// four characters of a script without.
func tokens(s string) int {
	quarters := 0
	for _, r := range s {
		if quarters++; r >= 0x2E80 {
			quarters += 2
		}
	}
	return (quarters + 3) / 4
}
