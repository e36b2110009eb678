package openai

import "strings"

// tags are those between which models think aloud, where their server leaves it in the text: DeepSeek, Qwen and most others, those that
// imitate them, Seed, Mistral, Kimi.
var tags = []struct{ open, close string }{
	{"<think>", "</think>"},
	{"<thinking>", "</thinking>"},
	{"<thought>", "</thought>"},
	{"<reasoning>", "</reasoning>"},
	{"<seed:think>", "</seed:think>"},
	{"[THINK]", "[/THINK]"},
	{"◁think▷", "◁/think▷"},
}

// thoughts takes what a model thinks aloud out of a message, as that streams. Its rules are:
//
//   - A tag opens a thought at the beginning of a message, or after another thought. Later it is text: an answer may be about tags.
//   - A thought that is not closed goes on to the end.
//   - Some prompts open the thought in the model's place, so that nothing but its end is seen. A closing tag at the end of a line therefore
//     means that all before it was thought, unless there was a thought already, or it stands in a block of code.
//
// What passes does not depend on how the text was cut into deltas, and lags behind by a tag at most.
type thoughts struct {
	held    string // not decided yet
	closing string // of the thought that this is in; "": none
	thought bool   // there was one
	begun   bool   // something was said
	midLine bool   // in the line that this is in
	fenced  bool   // this is in a block of code
}

// write takes more of the message and returns what is said in it. aside tells that all that was returned before was thought.
func (t *thoughts) write(delta string) (said string, aside bool) {
	t.held += delta
	return t.pass(false)
}

// close returns the rest.
func (t *thoughts) close() (said string, aside bool) { return t.pass(true) }

func (t *thoughts) pass(final bool) (said string, aside bool) {
	var out strings.Builder
	for t.held != "" {
		switch {
		case t.closing != "":
			if !t.think() {
				return out.String(), aside
			}
		case !t.begun:
			if !t.begin(final) {
				return out.String(), aside
			}
		default:
			n, thought := t.say(t.held, final)
			if thought {
				t.thought, t.begun, aside = true, false, true
				out.Reset()
			} else {
				out.WriteString(t.held[:n])
			}
			if t.held = t.held[n:]; n == 0 {
				return out.String(), aside
			}
		}
	}
	return out.String(), aside
}

// think drops what is thought. It says false when the end has not come.
func (t *thoughts) think() bool {
	at := strings.Index(t.held, t.closing)
	if at < 0 {
		t.held = t.held[max(0, len(t.held)-len(t.closing)+1):]
		return false
	}
	t.held, t.closing = t.held[at+len(t.closing):], ""
	return true
}

// begin decides whether a thought comes first. It says false when that is not clear yet.
func (t *thoughts) begin(final bool) bool {
	text := strings.TrimLeft(t.held, " \t\r\n")
	for _, tag := range tags {
		switch {
		case strings.HasPrefix(text, tag.open):
			t.held, t.closing, t.thought = text[len(tag.open):], tag.close, true
			return true
		case !final && strings.HasPrefix(tag.open, text):
			return false
		}
	}
	if t.thought {
		t.held = text // the space after a thought is not said
	}
	t.begun = t.held != ""
	return t.begun
}

// say returns how much of s is said or, where it begins with the end of a thought, is that end; 0 when it cannot be decided yet.
func (t *thoughts) say(s string, final bool) (n int, thought bool) {
	if t.thought {
		return len(s), false
	}
	switch {
	case !t.midLine && strings.HasPrefix(s, fence):
		t.fenced, t.midLine = !t.fenced, true
		return len(fence), false
	case !t.midLine && !final && strings.HasPrefix(fence, s):
		return 0, false
	}
	for _, tag := range tags {
		after, whole := strings.CutPrefix(s, tag.close)
		switch {
		case t.fenced:
		case whole && (strings.HasPrefix(after, "\n") || strings.HasPrefix(after, "\r")):
			return len(tag.close), true
		case !final && (whole && after == "" || strings.HasPrefix(tag.close, s)):
			return 0, false
		}
	}
	t.midLine = s[0] != '\n' && (t.midLine || s[0] != ' ')
	return 1, false
}

const fence = "```"
