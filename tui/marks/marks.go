// Package marks finds the words of a query in lines of the screen, to highlight them.
package marks

import (
	"github.com/charmbracelet/x/ansi"

	"lens/retrieval"
)

// Find returns the cells [from, to) of a line that hold words of a query, in order.
func Find(words *retrieval.Words, line string) [][2]int {
	hits := words.Find(line)
	at, column := 0, 0
	for i, hit := range hits {
		from := column + ansi.StringWidth(line[at:hit[0]])
		at, column = hit[1], from+ansi.StringWidth(line[hit[0]:hit[1]])
		hits[i] = [2]int{from, column}
	}
	return hits
}
