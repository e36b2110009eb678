// Package marks finds the words of a query in lines of the screen, to highlight them.
package marks

import (
	"regexp"

	"github.com/charmbracelet/x/ansi"

	"lens/retrieval"
)

// Find returns the cells [from, to) of a line that hold words of a query, in order.
func Find(words *retrieval.Words, line string) [][2]int {
	return cells(line, words.Find(line))
}

// Match returns the cells [from, to) of a line that match a pattern, in order.
func Match(wanted *regexp.Regexp, line string) [][2]int {
	var hits [][2]int
	for _, hit := range wanted.FindAllStringIndex(line, -1) {
		if hit[0] < hit[1] {
			hits = append(hits, [2]int{hit[0], hit[1]})
		}
	}
	return cells(line, hits)
}

// cells returns the cells of bytes of a line, in their place.
func cells(line string, hits [][2]int) [][2]int {
	at, column := 0, 0
	for i, hit := range hits {
		from := column + ansi.StringWidth(line[at:hit[0]])
		at, column = hit[1], from+ansi.StringWidth(line[hit[0]:hit[1]])
		hits[i] = [2]int{from, column}
	}
	return hits
}
