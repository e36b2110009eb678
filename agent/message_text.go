package agent

import "strings"

// messageText is the text of a message as it streams. It ends a message that would not end by itself: one that goes in
// circles, in its text or in its thoughts, or prints the markers of its chat template.
type messageText struct {
	said     strings.Builder
	template templateFilter
	circles  repetitionDetector
	thoughts repetitionDetector
}

// add takes the next part of the message. It returns what that adds to the text, and Repetition or Template if the
// message is to be cut behind that.
func (m *messageText) add(d Delta) (said string, cut Finish) {
	said, printsMarkers := m.template.write(d.Text)
	if d.Finish != "" && !printsMarkers {
		var rest string
		rest, printsMarkers = m.template.close()
		said += rest
	}
	m.said.WriteString(said)
	goesInCircles := m.circles.write(said) || m.thoughts.write(d.Thought)
	switch {
	case printsMarkers:
		return said, Template
	case goesInCircles && d.Finish == "":
		return said, Repetition
	}
	return said, ""
}

// withoutCircles returns the text so far without its last repetitions.
func (m *messageText) withoutCircles() string {
	text := []rune(m.said.String())
	if m.circles.found {
		text = text[:len(text)-m.circles.excess()]
	}
	return strings.TrimSpace(string(text))
}
