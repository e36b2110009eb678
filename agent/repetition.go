package agent

import "unicode"

// repetitionDetector finds out, as a text streams, that its end repeats one unit again and again: a word, a sentence or
// a paragraph. Its rules are:
//
//   - Only an exact repetition counts, apart from the numbers of a list. A refrain between stanzas, a list or a table
//     differs somewhere in each unit.
//   - The shorter the unit, the more often it must come: minRepeated characters in all, and a paragraph three times.
//   - Code, and units without letters, such as rules and rows of zeros, may be regular for longer.
//
// The most recent occurrence of the last characters proposes a distance, which is kept while each character is equal to
// the one at that distance before it. That takes a fixed time for each character, whatever the text is. The result does
// not depend on how the text is split. The zero value is ready.
type repetitionDetector struct {
	window   []rune         // the last characters, as a ring
	latest   []int          // by hash of gramLength characters, where they last ended
	n        int            // characters so far
	grams    uint64         // hash of the last gramLength characters
	distance int            // proposed; 0: none
	repeated int            // characters that are equal at that distance
	letters  int            // of those
	line     repetitionLine // the current one
	found    bool
}

// Limits of a repetition, in characters.
const (
	minRepeated     = 400   // of any unit, after the first time
	minRepeatedBare = 2_000 // of one without letters
	minRepeatedCode = 4_000 // of code
	longestUnit     = 8 << 10
	gramLength      = 12
	gramSlots       = 16 << 10
)

// needed returns how many characters must repeat at the proposed distance.
func (d *repetitionDetector) needed() int {
	switch {
	case d.line.inCode:
		return max(minRepeatedCode, 2*d.distance)
	case d.letters == 0:
		return minRepeatedBare
	}
	return max(minRepeated, min(4*d.distance, max(3*minRepeated, 2*d.distance)))
}

// write takes the next part of the text and reports whether its end goes in circles.
func (d *repetitionDetector) write(text string) bool {
	for _, r := range text {
		if number, waits := d.line.next(r); !waits {
			for _, digit := range number {
				d.add(digit)
			}
			d.add(r)
		}
	}
	return d.found
}

// excess returns how many characters at the end of the text are known to repeat what stands before them.
func (d *repetitionDetector) excess() int { return min(d.n, d.repeated+gramLength) }

func (d *repetitionDetector) add(r rune) {
	if d.window == nil {
		d.window, d.latest = make([]rune, longestUnit), make([]int, gramSlots)
	}
	if d.distance > 0 {
		if d.at(d.n-d.distance) == r {
			d.repeated++
			if unicode.IsLetter(r) {
				d.letters++
			}
		} else {
			d.distance, d.repeated, d.letters = 0, 0, 0
		}
	}
	leaving := rune(0)
	if d.n >= gramLength {
		leaving = d.at(d.n - gramLength)
	}
	d.window[d.n%longestUnit] = r
	d.n++
	d.grams = d.grams*gramBase + uint64(r) - uint64(leaving)*gramBaseToLength
	if d.n < gramLength {
		return
	}
	slot := &d.latest[d.grams>>32%gramSlots]
	if before := *slot; d.distance == 0 && before > 0 && d.n-before < longestUnit {
		d.distance = d.n - before
	}
	*slot = d.n
	d.found = d.found || d.distance > 0 && d.repeated >= d.needed()
}

// at returns a character of the window by its position in the text.
func (d *repetitionDetector) at(position int) rune { return d.window[position%longestUnit] }

// The base of the rolling hash is Knuth's multiplier of a 64-bit linear congruential generator.
const gramBase uint64 = 6364136223846793005

var gramBaseToLength = func() uint64 {
	power := uint64(1)
	for range gramLength {
		power *= gramBase
	}
	return power
}()

// repetitionLine is the current line of a text, as far as a repetition depends on it.
type repetitionLine struct {
	inCode  bool   // between code fences
	number  []rune // digits that begin the line, while they may be the number of a list
	ticks   int    // backticks that begin the line
	started bool   // the line has more than what may stand before its text
}

// next takes a character. It returns the digits before it, unless they were the number of a list, and whether r may be
// part of such a number.
func (l *repetitionLine) next(r rune) (number []rune, waits bool) {
	switch {
	case r == '\n':
		number, l.number = l.number, nil
		l.ticks, l.started = 0, false
	case l.started || l.number == nil && (r == ' ' || r == '\t'):
	case '0' <= r && r <= '9' && l.ticks == 0 && len(l.number) < mostListDigits:
		l.number = append(l.number, r)
		return nil, true
	case l.number != nil && (r == '.' || r == ')'):
		l.number, l.started = nil, true
	case l.number == nil && r == '`':
		if l.ticks++; l.ticks == len(fenceMark) {
			l.inCode = !l.inCode
		}
	default:
		number, l.number = l.number, nil
		l.started = true
	}
	return number, false
}

// mostListDigits are the digits of the greatest number of a list.
const mostListDigits = 3

const fenceMark = "```"
