package chat

import "strings"

// Raw is Span as a message keeps it: scrubbed, which it adds to count.Scrubbed.
func (c *Cursor) Raw(count *Count, visit func()) []byte {
	raw, scrubbed := ScrubJSON(c.Span(visit))
	if scrubbed {
		count.Scrubbed++
	}
	return raw
}

// Attached stands for the words of a message that has nothing but files, so that it can be recognized in a list.
func Attached(names []string) string {
	var lines []string
	for _, name := range names {
		if name != "" {
			lines = append(lines, "[file: "+name+"]")
		}
	}
	return strings.Join(lines, "\n")
}
